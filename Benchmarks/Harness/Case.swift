/// One task on one body, and the engines that compete at it.
struct Case {
    let suite: Suite
    let corpus: String
    /// The JSON that is read or written, for MB/s.
    let byteCount: Int
    /// False where only allocations are of interest.
    var isTimed = true
    var clock = Stopwatch.Clock.processor
    /// Heap blocks that the result itself needs, where that is known.
    var resultBlocks: (() throws -> Int)?
    /// Foundation first where it takes part.
    var contenders: [Contender]

    func path(of contender: Contender) -> String {
        "\(suite.rawValue)/\(corpus)/\(contender.engine.rawValue)"
    }

    /// The case without the engines whose path lacks the text; Foundation stays as long as another engine needs it to
    /// compare with.
    func filtered(by text: String?, keepingFoundation: Bool) -> Case? {
        guard let text else { return self }
        let wanted = contenders.filter { path(of: $0).contains(text) }
        guard !wanted.isEmpty else { return nil }
        var copy = self
        copy.contenders = contenders.filter { contender in
            path(of: contender).contains(text) || keepingFoundation && contender.engine == .foundation
        }
        return copy
    }
}
