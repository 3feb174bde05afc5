/// A report about one call of a migration: the models differ, a source failed, or the call used the fallback.
///
/// ```swift
/// let differences = DifferenceReporter { report in
///     for difference in report.differences { print(report.migration, difference.path.withoutIndices) }
/// }
/// ```
/// The description of a report has no payload values but the code of a GraphQL or JSON-RPC error, unless the rules of
/// the migration allow some (``ComparisonRules/showing(_:)``). The errors, and the dictionary keys in the paths of the
/// differences, can contain payload values.
public struct MigrationReport: Sendable {
    /// How the call ended.
    public enum Outcome: String, Sendable, Hashable {
        /// Both sources returned a model, and the models differ.
        case differed
        /// The new source failed. If the new source ran as a shadow call, the app's call still returned the old model.
        /// If the call was a write, it failed, because a write has no fallback.
        case newFailed = "new failed"
        /// The old source failed, and so did the app's call. The new source returned a model.
        case oldFailed = "old failed"
        /// Both sources failed.
        case bothFailed = "both failed"
        /// The new source failed, and the call returned the old model.
        case fellBack = "fell back"
    }

    /// The name of the migration.
    public let migration: String
    /// How the call ended.
    public let outcome: Outcome
    /// The fields that differ, in the order in which the comparison found them.
    public let differences: [ModelDifference]
    /// The number of further differences, beyond ``ComparisonRules/differenceLimit``.
    public let omittedDifferenceCount: Int
    /// The rules that no comparison of the migration has used so far, for example `ignoring fetchedAt`. The comparison
    /// of this report counts, too. A rule that is still unused after several comparisons probably has a wrong path
    /// (``ComparisonRules``). Empty if the ``outcome`` is not ``Outcome/differed``.
    public internal(set) var unusedRules: [String] = []
    /// The error of the old source, if it failed.
    public let oldError: (any Error)?
    /// The error of the new source, if it failed.
    public let newError: (any Error)?

    init(
        _ migration: String,
        _ outcome: Outcome,
        _ found: ModelDifferences = ModelDifferences(),
        oldError: (any Error)? = nil,
        newError: (any Error)? = nil
    ) {
        self.migration = migration
        self.outcome = outcome
        differences = found.differences
        omittedDifferenceCount = found.omitted
        self.oldError = oldError
        self.newError = newError
    }
}

extension MigrationReport: Redacted {
    /// The migration and the outcome on the first line. The differences, the unused rules and the errors follow on
    /// lines of their own.
    public var description: String {
        var lines = differences.map(\.description)
        if omittedDifferenceCount > 0 { lines.append("and \(omittedDifferenceCount) more") }
        lines += unusedRules.map { "rule not used so far: \($0)" }
        if let oldError { lines.append("old: " + describeForeign(oldError)) }
        if let newError { lines.append("new: " + describeForeign(newError)) }
        let indented = lines.flatMap { $0.split(separator: "\n") }.map { "  " + $0 }
        return (["\(migration): \(outcome.rawValue)"] + indented).joined(separator: "\n")
    }
}
