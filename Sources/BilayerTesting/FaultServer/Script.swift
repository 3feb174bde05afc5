import Bilayer

/// What a script is for.
struct ScriptKey: Hashable {
    let method: HTTPMethod
    let path: String
}

/// The answers for one method and path.
struct Script: Sendable {
    private var replies: [Reply] = []
    private var answer: (@Sendable (RecordedRequest) -> Reply)?

    init(replies: [Reply]) { self.replies = replies }

    init(answer: @escaping @Sendable (RecordedRequest) -> Reply) { self.answer = answer }

    /// Takes the next answer, as a closure: a computed one runs user code, which must not happen under a lock.
    mutating func next() -> @Sendable (RecordedRequest) -> Reply {
        if let answer { return answer }
        let reply = replies.count > 1 ? replies.removeFirst() : replies.first ?? .status(404)
        return { _ in reply }
    }
}

extension [ScriptKey: Script] {
    /// Takes the next answer for a request; a script with its query goes before one without.
    mutating func next(for request: RecordedRequest) -> @Sendable (RecordedRequest) -> Reply {
        let keys = [request.target, request.path].map { ScriptKey(method: request.method, path: $0) }
        for key in keys where self[key] != nil {
            if let answer = self[key]?.next() { return answer }
        }
        return unscripted
    }

    private var unscripted: @Sendable (RecordedRequest) -> Reply {
        let known = self.keys.map { "\($0.method) \($0.path)" }.sorted()
        return { request in
            .error(
                "nothing is scripted for \(request)",
                details: known.isEmpty ? "no script" : known.joined(separator: ", ")
            )
        }
    }
}
