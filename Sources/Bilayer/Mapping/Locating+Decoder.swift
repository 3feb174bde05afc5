extension Decoder {
    /// Maps the value at this decoder's place. What a mapping throws or reports has paths from that value on; it leaves here with
    /// paths from the decoder's root, as everything does that comes out of a `Decoder`.
    func mapping<Value>(_ body: (Json) throws -> Value) throws -> Value {
        let raw = try Json(from: self)
        return try locating(at: JsonPath(codingPath)) { try body(raw) }
    }
}

/// Runs a conversion of a part of something larger, some steps down: the same as ``locating(at:owner:_:)`` does for one step.
func locating<Value>(at path: @autoclosure () -> JsonPath, _ body: () throws -> Value) throws -> Value {
    let session = MappingSession.current
    let mark = session?.mark ?? 0
    do {
        let value = try body()
        session?.relocate(since: mark, along: path)
        return value
    } catch {
        session?.relocate(since: mark, along: path)
        throw MappingError.located(error, at: path())
    }
}

extension MappingSession {
    /// The same as ``relocate(since:to:owner:)`` for several steps. The path is made only if there is an issue.
    fileprivate func relocate(since mark: Int, along path: () -> JsonPath) {
        guard self.mark > mark else { return }
        for step in path().components.reversed() { relocate(since: mark, to: step) }
    }
}
