extension Json {
    /// Reads a value deep inside this one, without types for what lies between.
    ///
    /// ```swift
    /// let raw: Json = ["meta": ["page": ["next": "p2"]], "items": [["unit.price": "9.90"]]]
    /// let next: String = try raw.decode(path: "meta.page.next")
    /// let first: String = try raw.decode(path: #"items[0]["unit.price"]"#)
    /// ```
    /// - Parameter path: Keys and indices, as ``path(_:)`` reads them: a key with a dot is written in brackets and
    ///   quotes.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path to where the way ended: kind `missing` at the first member that is not
    ///   there, `wrong type` where a step would lead into a string or a number, or what the type itself throws.
    public func decode<Value: RawDecodable>(path: String) throws -> Value where Value.Raw == Json {
        try read(path, expecting: typeName(Value.self)) { try Value.from(raw: $0) }
    }

    /// Reads a value deep inside this one; nil if it is not there or `null`, or a member on the way is.
    /// - Parameter path: Keys and indices, as ``path(_:)`` reads them.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if a step would lead into a string or a number, or what the type itself throws.
    public func decodeIfPresent<Value: RawDecodable>(path: String) throws -> Value? where Value.Raw == Json {
        try readIfPresent(path) { try Value.from(raw: $0) }
    }

    /// Reads a value deep inside this one in a format.
    /// - Parameters:
    ///   - path: Keys and indices, as ``path(_:)`` reads them.
    ///   - format: How the value is spelled.
    /// - Returns: The value.
    /// - Throws: As ``decode(path:)``.
    public func decode<Value>(path: String, as format: ValueFormat<Value>) throws -> Value {
        try read(path, expecting: format.expectation()) { try format.read($0) }
    }

    /// Reads a value deep inside this one in a format; nil if it is not there or `null`, or a member on the way is.
    /// - Parameters:
    ///   - path: Keys and indices, as ``path(_:)`` reads them.
    ///   - format: How the value is spelled.
    /// - Returns: The value.
    /// - Throws: As ``decodeIfPresent(path:)``.
    public func decodeIfPresent<Value>(path: String, as format: ValueFormat<Value>) throws -> Value? {
        try readIfPresent(path) { try format.read($0) }
    }

    private func read<Value>(
        _ text: String,
        expecting expectation: @autoclosure () -> String,
        _ read: (Json) throws -> Value
    ) throws -> Value {
        let path = try JsonPath(checking: text)
        switch try destination(of: path) {
        case .value(let value): return try locating(at: path) { try read(value) }
        case .missing(let place):
            throw MappingError(MappingIssue(.missing, path: place, expected: expectation()))
        case .null(let place):
            throw MappingError(
                MappingIssue(.null, path: place, expected: "an object or an array", found: Json.null.found)
            )
        }
    }

    private func readIfPresent<Value>(_ text: String, _ read: (Json) throws -> Value) throws -> Value? {
        let path = try JsonPath(checking: text)
        guard case .value(let value) = try destination(of: path), !value.isNull else { return nil }
        return try locating(at: path) { try read(value) }
    }

    private enum Destination {
        case value(Json)
        case missing(JsonPath)
        case null(JsonPath)
    }

    /// Where a path leads. A step into something that has no parts is an error, never the value before it.
    private func destination(of path: JsonPath) throws -> Destination {
        var value = self
        for (depth, step) in path.components.enumerated() {
            let place = JsonPath(Array(path.components.prefix(depth)))
            let part: Json?
            switch (step, value.kind) {
            case (.key(let key), .object), (.entry(let key), .object): part = value[key]
            case (.index(let index), .array): part = value[index]
            case (_, .null): return .null(place)
            case (.key, _), (.entry, _):
                throw MappingError(MappingIssue(.wrongType, path: place, expected: "an object", found: value.found))
            case (.index, _):
                throw MappingError(MappingIssue(.wrongType, path: place, expected: "an array", found: value.found))
            }
            guard let part else { return .missing(place.appending(step)) }
            value = part
        }
        return .value(value)
    }
}

extension JsonPath {
    /// A path from the source code.
    fileprivate init(checking text: String) throws {
        guard let path = JsonPath(text) else { throw MappingError(.noPath(text)) }
        self = path
    }
}
