/// What a run found out about one engine at one task.
struct Measurement {
    let row: Row
    /// Median absolute deviation of the rounds' ratios to Foundation.
    let ratioSpread: Double?
    /// Heap blocks that the result itself needs, where that is known.
    let resultBlocks: Int?
}

/// One line of the JSON file.
struct Row {
    let suite: String
    let corpus: String
    let engine: String
    var medianNanoseconds: Double?
    /// Millions of bytes of JSON a second.
    var megabytesPerSecond: Double?
    /// Median over the rounds of Foundation's time divided by this engine's time in the same round.
    var ratioToFoundation: Double?
    var mallocs: Int?
    var peakBytes: Int?

    var path: String {
        "\(suite)/\(corpus)/\(engine)"
    }
}
