/// The counts of a migrator, and the receiver of its reports.
final class MigrationLog: Sendable {
    private struct Counts {
        var tally = MigrationTally()
        var usedRules: Set<ComparisonRules.Rule> = []
    }

    private let counts = Locked<[String: Counts]>([:])
    private let reporter: DifferenceReporter

    init(_ reporter: DifferenceReporter) { self.reporter = reporter }

    var all: [String: MigrationTally] { counts.withLock { $0.mapValues(\.tally) } }

    func count(_ figure: WritableKeyPath<MigrationTally, Int>, of migration: String) {
        counts.withLock { $0[migration, default: Counts()].tally[keyPath: figure] += 1 }
    }

    /// Counts a call and reports it. The lock is not held while the reporter runs.
    func add(_ figure: WritableKeyPath<MigrationTally, Int>, _ report: MigrationReport) {
        count(figure, of: report.migration)
        reporter.report(report)
    }

    /// Counts a comparison, and reports it if the models differ.
    func add(_ found: ModelDifferences, of migration: String, by rules: ComparisonRules) {
        let agrees = found.differences.isEmpty
        let unused = counts.withLock { counts in
            var count = counts[migration] ?? Counts()
            count.usedRules.formUnion(found.usedRules)
            count.tally.unusedRules = rules.all.filter { !count.usedRules.contains($0) }.map(\.description)
            if agrees { count.tally.agreed += 1 } else { count.tally.differed += 1 }
            counts[migration] = count
            return count.tally.unusedRules
        }
        if agrees { return }
        var report = MigrationReport(migration, .differed, found)
        report.unusedRules = unused
        reporter.report(report)
    }
}
