/// What a tolerant call may spend on trials, counted in words of the index.
///
/// Most elements are valid, and reading with tolerance takes about twice as long. So an element is first read in a
/// trial: without tolerance, as under the standard policy. It is read again after an error or an issue. What is read
/// without a loss adds its size to the budget, and a failed trial takes four times its size. Trials go on as long as
/// that leaves no debt. This limits failed trials to a quarter of the successfully read text and one element: of a list
/// of bad elements only some are read twice, and the time for nested arrays stays proportional to the text.
struct TrialBudget {
    /// The words that one word of a failed trial costs.
    private static var price: Int { 4 }

    private var credit = 0

    /// Whether another trial is allowed.
    var mayTry: Bool { credit >= 0 }

    /// Adds an element that was read without a loss, in a trial or with tolerance.
    mutating func succeeded(_ size: Int) { credit &+= size }

    /// Pays for a trial that has failed.
    mutating func failed(_ size: Int) { credit &-= Self.price &* size }
}
