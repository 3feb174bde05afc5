/// The counts of how the calls of one migration ended. They show when to switch to the new source.
///
/// ```swift
/// let migrator = Migrator(old: client, new: client, mode: .shadow(share: 0.05))
/// let tally = migrator.tally(of: "GameInfo")
/// print(tally)                                    // 1204 agreed, 3 differed, 1 new failed
/// if tally.isReady(after: 1_000, agreement: 0.995) { print("switch GameInfo to .share(0.1)") }
/// ```
public struct MigrationTally: Sendable, Hashable {
    /// Shadow calls whose models agreed.
    public internal(set) var agreed = 0
    /// Shadow calls whose models differed.
    public internal(set) var differed = 0
    /// Calls in which only the new source failed and that used no fallback. If the new source ran as a shadow call, the
    /// app's call returned the old model. If the call was a write, it failed.
    public internal(set) var newFailed = 0
    /// Shadow calls in which only the old source failed.
    public internal(set) var oldFailed = 0
    /// Calls in which both sources failed, in shadow mode or with a fallback.
    public internal(set) var bothFailed = 0
    /// Calls that were chosen for a shadow call but had none: too many shadow calls or abandoned sources were running
    /// (``Migrator``), or the call is a write.
    public internal(set) var skipped = 0
    /// Calls that returned the result of the new source.
    public internal(set) var answeredByNew = 0
    /// Calls in which the new source failed, and that returned the result of the old source.
    public internal(set) var fellBack = 0

    /// The rules of the migration that no comparison has used so far, for example `unordered draws by id`. Such a rule
    /// has a wrong path or key, or tolerates a difference of values that are no numbers or dates. Or no comparison has
    /// reached its value so far: for example, a list was empty, an optional was `nil`, or an enum had another case.
    public internal(set) var unusedRules: [String] = []

    /// Makes a tally of zeros.
    public init() {}

    /// The number of calls that show how well the new source works: ``agreed``, ``differed`` and ``newFailed``
    /// together.
    public var compared: Int { agreed + differed + newFailed }

    /// The share of ``compared`` calls that agreed, from 0 to 1; `nil` if ``compared`` is zero.
    public var agreement: Double? { compared == 0 ? nil : Double(agreed) / Double(compared) }

    /// Returns whether enough calls agreed to switch the migration to the new source.
    /// - Parameters:
    ///   - minimum: The least number of ``compared`` calls.
    ///   - least: The least ``agreement``.
    /// - Returns: Whether both are reached.
    public func isReady(after minimum: Int, agreement least: Double) -> Bool {
        guard compared >= minimum, let agreement else { return false }
        return agreement >= least
    }
}

extension MigrationTally: CustomStringConvertible {
    /// The counts that are not zero, and the unused rules: `12 agreed, 1 differed`.
    public var description: String {
        let figures = [
            (agreed, "agreed"), (differed, "differed"), (newFailed, "new failed"), (oldFailed, "old failed"),
            (bothFailed, "both failed"), (skipped, "skipped"), (answeredByNew, "answered by the new source"),
            (fellBack, "fell back"),
        ]
        let shown = figures.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if shown.isEmpty { return "no calls" }
        let unused = unusedRules.isEmpty ? "" : "; rules not used so far: " + unusedRules.joined(separator: ", ")
        return shown.joined(separator: ", ") + unused
    }
}
