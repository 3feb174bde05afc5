/// How the calls of one migration ended: the figures that say when to switch.
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
    /// Calls that the new source failed, without a fallback: in shadow mode the call returned the old model, and a
    /// write is not made a second time.
    public internal(set) var newFailed = 0
    /// Shadow calls that only the old source failed.
    public internal(set) var oldFailed = 0
    /// Calls that both sources failed, in shadow mode or in a fallback.
    public internal(set) var bothFailed = 0
    /// Calls without their shadow: too many ran at a time, or the call is no read.
    public internal(set) var skipped = 0
    /// Calls that returned the result of the new source.
    public internal(set) var answeredByNew = 0
    /// Calls that the new source failed and that returned the result of the old one.
    public internal(set) var fellBack = 0

    /// The rules of the migration that no comparison has used so far: `ignoring fetchedAt`, `unordered draws by id`. No
    /// field has the path of such a rule, no element its key, or the lists were empty and the optionals nil so far.
    public internal(set) var unusedRules: [String] = []

    /// Makes a tally of zeros.
    public init() {}

    /// The calls that say something about the new source.
    public var compared: Int { agreed + differed + newFailed }

    /// The part of ``compared`` that agreed, from 0 to 1; `nil` before the first comparison.
    public var agreement: Double? { compared == 0 ? nil : Double(agreed) / Double(compared) }

    /// Whether enough calls agreed to switch the model to the new source.
    /// - Parameters:
    ///   - minimum: The number of comparisons that are needed.
    ///   - least: The least ``agreement``.
    /// - Returns: Whether to switch.
    public func isReady(after minimum: Int, agreement least: Double) -> Bool {
        guard compared >= minimum, let agreement else { return false }
        return agreement >= least
    }
}

extension MigrationTally: CustomStringConvertible {
    /// The figures that are not zero, and the rules that were not used: `12 agreed, 1 differed`.
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
