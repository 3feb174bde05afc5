import Bilayer
import BilayerTesting
import Foundation

extension Samples {
    static let migration = [
        Sample("ComparisonRules") { [ComparisonRules.exact] },
        Sample("DifferenceReporter") { [DifferenceReporter { _ in _ = secret }] },
        Sample("Migration") { [moving(secret, secret)] },
        Sample("Migrator") { [migrator(.shadow(share: 1)) { _ in }] },
        Sample("MigrationReport") { await migrationReports() },
        Sample("ModelDifference") { await migrationReports().flatMap(\.differences) },
    ]

    private struct Moved: Sendable {
        let name: String
        let scores: [String: String]
    }

    private static func moving(_ old: String, _ new: String) -> Migration<Moved> {
        Migration(
            named: "Moved",
            isRead: true,
            old: { _ in Moved(name: old, scores: [old + "1": old, secret: old]) },
            new: { _ in Moved(name: new, scores: [new + "2": new, secret: new]) }
        )
    }

    private static func migrator(
        _ mode: MigrationMode,
        _ report: @escaping @Sendable (MigrationReport) -> Void
    ) -> Migrator {
        let client = Client(baseURL: url, transport: StubTransport())
        return Migrator(old: client, new: client, mode: mode, differences: DifferenceReporter(report))
    }

    /// Models that differ in every field, and errors of other modules on both sides.
    private static func migrationReports() async -> [MigrationReport] {
        let (reports, continuation) = AsyncStream.makeStream(of: MigrationReport.self)
        let migrator = migrator(.shadow(share: 1)) { continuation.yield($0) }
        _ = try? await migrator.fetch(moving(secret, secret + secret))
        for error in foreignErrors {
            let failing = Migration<Moved>(
                named: "Moved",
                isRead: true,
                old: { _ in throw error },
                new: { _ in throw error }
            )
            _ = try? await migrator.fetch(failing)
        }
        try? await migrator.waitForShadows()
        continuation.finish()
        return await reports.reduce(into: []) { $0.append($1) }
    }
}
