import Bilayer
import BilayerTesting
import Foundation

/// The reports of a migrator, and what else a migration's test keeps under a lock.
final class MigrationBook: @unchecked Sendable {  // Sendable: the variables are only accessed under `lock`.
    private let lock = NSLock()
    private var kept: [MigrationReport] = []
    private var modes: [String: MigrationMode] = [:]

    var reports: [MigrationReport] { lock.withLock { kept } }
    var reporter: DifferenceReporter {
        DifferenceReporter { report in self.lock.withLock { self.kept.append(report) } }
    }

    /// The remote flags, which change while the app runs.
    subscript(flag: String) -> MigrationMode? {
        get { lock.withLock { modes[flag] } }
        set { lock.withLock { modes[flag] = newValue } }
    }
}

extension Client {
    /// A client of a migration's test.
    static func migrating(_ stub: StubTransport, clock: any Clock<Duration> = TestClock()) -> Client {
        Client(baseURL: URL("https://api.example.com"), transport: stub, clock: clock)
    }
}

extension Migrator {
    /// A migrator with a shadow of every call, which reports to a book.
    static func shadowing(_ stub: StubTransport = StubTransport(), reportingTo book: MigrationBook) -> Migrator {
        let client = Client.migrating(stub)
        return Migrator(old: client, new: client, mode: .shadow(share: 1), differences: book.reporter)
    }
}

extension Migration {
    /// A migration whose sources are two models.
    static func between(
        _ old: Model,
        _ new: Model,
        named name: String,
        comparing rules: ComparisonRules = .exact
    ) -> Migration {
        Migration(named: name, isRead: true, comparing: rules, old: { _ in old }, new: { _ in new })
    }
}
