/// A task on a body, and the engines that are compared in it.
struct Case {
    let suite: Suite
    let corpus: String
    /// The number of bytes of JSON that are read or written, in most cases by each engine. The table computes MB/s from
    /// it.
    let byteCount: Int
    /// Whether the case is timed. If false, only its allocations are counted.
    var isTimed = true
    var clock = Stopwatch.Clock.processor
    /// Returns the number of heap blocks that the result itself needs; `nil` if it is unknown.
    var resultBlocks: (() throws -> Int)?
    /// The engines. If Foundation is one of them, it is the first.
    var contenders: [Contender]

    func path(of contender: Contender) -> String {
        "\(suite.rawValue)/\(corpus)/\(contender.engine.rawValue)"
    }

    /// Returns the case with only the engines whose row has a path that contains the text; `nil` if there are none.
    /// Foundation can be kept for comparison.
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
