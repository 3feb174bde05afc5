/// The counts of a migrator, and the receiver of its reports.
final class MigrationLog: Sendable {
    private let tallies = Locked<[String: MigrationTally]>([:])
    private let reporter: DifferenceReporter

    init(_ reporter: DifferenceReporter) { self.reporter = reporter }

    var all: [String: MigrationTally] { tallies.withLock { $0 } }

    func count(_ figure: WritableKeyPath<MigrationTally, Int>, of migration: String) {
        tallies.withLock { $0[migration, default: MigrationTally()][keyPath: figure] += 1 }
    }

    /// Counts and reports. The reporter is called without the lock.
    func add(_ figure: WritableKeyPath<MigrationTally, Int>, _ report: MigrationReport) {
        count(figure, of: report.migration)
        reporter.report(report)
    }
}
