/// The measurements of one engine in one case.
struct Measurement {
    let row: Row
    /// The median absolute deviation of the ratios of all rounds.
    let ratioSpread: Double?
    /// The number of heap blocks that the result itself needs; `nil` if it is unknown.
    let resultBlocks: Int?
}

/// A line of the file that `--json` writes.
struct Row {
    let suite: String
    let corpus: String
    let engine: String
    var medianNanoseconds: Double?
    /// Millions of bytes of JSON a second.
    var megabytesPerSecond: Double?
    /// The median over all rounds of Foundation's time divided by this engine's time in the same round.
    var ratioToFoundation: Double?
    var mallocs: Int?
    var peakBytes: Int?

    var path: String {
        "\(suite)/\(corpus)/\(engine)"
    }
}
