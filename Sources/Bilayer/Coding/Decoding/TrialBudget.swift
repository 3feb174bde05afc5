/// The budget of a tolerant call (``DecodingTolerance``) for trials, counted in words of the index.
///
/// Most elements are valid, and reading with tolerance takes about twice as long. So an element is first read in a
/// trial: without tolerance, as under the standard policy. After an error or a warning, the element is read again with
/// tolerance.
///
/// An element that is read in a trial without a warning, or with tolerance without any issue, adds its size to the
/// budget. A failed trial subtracts four times the element's size. Trials are allowed while the budget is not negative.
/// So the failed trials of a call cover at most a quarter of the successfully read text, plus one element. Of a list of
/// bad elements only some are read twice, and the time for nested arrays stays proportional to the text.
struct TrialBudget {
    /// The number of words that the budget loses for each word of a failed trial.
    private static var price: Int { 4 }

    private var credit = 0

    /// Whether another trial is allowed.
    var mayTry: Bool { credit >= 0 }

    /// Adds an element that was read in a trial without a warning, or with tolerance without any issue.
    mutating func succeeded(_ size: Int) { credit &+= size }

    /// Subtracts the price of a failed trial.
    mutating func failed(_ size: Int) { credit &-= Self.price &* size }
}
