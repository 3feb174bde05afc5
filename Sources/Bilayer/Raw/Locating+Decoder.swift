extension Decoder {
    /// Maps the value at this decoder's place. What the mapping reports leaves here with paths from the decoder's root, as
    /// everything does that comes out of a `Decoder`; what it throws becomes a `DecodingError`, which whoever decodes knows how to
    /// salvage, to collect and to unwrap.
    func mapping<Value>(_ body: (Json) throws -> Value) throws -> Value {
        try Bilayer.mapping(Json(from: self), at: codingPath, body)
    }
}

/// Maps the value at a place in a decoder.
func mapping<Value>(
    _ raw: Json,
    at path: @autoclosure () -> [any CodingKey],
    _ body: (Json) throws -> Value
) throws -> Value {
    let session = IssueLog.current
    let mark = session?.mark ?? 0
    defer { session?.relocate(since: mark, along: JsonPath(path())) }
    do {
        return try body(raw)
    } catch let error as MappingError {
        throw DecodingError.dataCorrupted(
            .init(codingPath: path(), debugDescription: error.description, underlyingError: error)
        )
    }
}

extension Encoder {
    /// Writes a value at this encoder's place.
    func write<Value>(_ value: Value, as format: ValueFormat<Value>) throws {
        let raw: Json
        do {
            raw = try format.write(value)
        } catch {
            throw MappingError.located(error, at: JsonPath(codingPath))
        }
        try raw.encode(to: self)
    }
}

/// Runs a conversion of a part of something larger, some steps down: the same as ``locating(at:owner:_:)`` does for one step.
func locating<Value>(at path: JsonPath, _ body: () throws -> Value) throws -> Value {
    let session = IssueLog.current
    let mark = session?.mark ?? 0
    defer { session?.relocate(since: mark, along: path) }
    do {
        return try body()
    } catch {
        throw MappingError.located(error, at: path)
    }
}

extension IssueLog {
    /// The same as ``relocate(since:to:owner:)`` for several steps. The path is made only if there is an issue.
    fileprivate func relocate(since mark: Int, along path: @autoclosure () -> JsonPath) {
        guard self.mark > mark else { return }
        for step in path().components.reversed() { relocate(since: mark, to: step) }
    }
}
