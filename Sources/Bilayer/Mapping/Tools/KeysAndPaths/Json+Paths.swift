extension Json {
    /// Reads a nested value at a path, without types for the levels in between.
    ///
    /// ```swift
    /// let raw: Json = ["meta": ["page": ["next": "p2"]], "items": [["unit.price": "9.90"]]]
    /// let next: String = try raw.decode(path: "meta.page.next")
    /// let first: String = try raw.decode(path: #"items[0]["unit.price"]"#)
    /// ```
    /// - Parameter path: Keys and indices in the syntax of ``path(_:)``: a key with a dot is written in brackets and
    ///   quotes.
    /// - Returns: The value. For an optional type, `nil` if a member or an element on the path is missing or `null`.
    /// - Throws: ``MappingError`` of kind `missing` at the first missing member or element, or `null` at a `null` on
    ///   the path. The kind is `wrong type` at another value that is not the object or array that the path expects. It
    ///   is `broken rule` if the text is no path. Otherwise the error is that of the type.
    public func decode<Value: RawDecodable>(path: String) throws -> Value where Value.Raw == Json {
        try decode(at: JsonPath(checking: path))
    }

    /// Reads a nested value at a path, as ``decode(path:)`` does.
    func decode<Value: RawDecodable>(at path: JsonPath) throws -> Value where Value.Raw == Json {
        // The cast succeeds only if `Value` is an optional type.
        if let none = Any?.none as? Value {
            guard case .value(let value) = try destination(of: path) else { return none }
            return try readPart(value, at: path) { try Value.from(raw: value) }
        }
        return try read(path, expecting: typeName(Value.self)) { try Value.from(raw: $0) }
    }

    /// Reads a nested value at a path. Returns `nil` if the value, or a member or an element on the path, is missing or
    /// `null`. Under a policy that salvages, a value that cannot be read becomes `nil`, too.
    /// - Parameter path: Keys and indices in the syntax of ``path(_:)``.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if a value on the path is neither `null` nor the object or array that the path
    ///   expects, or if the text is no path; the error of the type itself.
    public func decodeIfPresent<Value: RawDecodable>(path: String) throws -> Value? where Value.Raw == Json {
        try readIfPresent(path) { try Value.from(raw: $0) }
    }

    /// Reads a nested value at a path in a format.
    /// - Parameters:
    ///   - path: Keys and indices in the syntax of ``path(_:)``.
    ///   - format: The format of the value.
    /// - Returns: The value.
    /// - Throws: As ``decode(path:)``.
    public func decode<Value>(path: String, as format: ValueFormat<Value>) throws -> Value {
        try read(JsonPath(checking: path), expecting: format.expectation()) { try format.read($0) }
    }

    /// Reads a nested value at a path in a format. Returns `nil` as ``decodeIfPresent(path:)`` does.
    /// - Parameters:
    ///   - path: Keys and indices in the syntax of ``path(_:)``.
    ///   - format: The format of the value.
    /// - Returns: The value.
    /// - Throws: As ``decodeIfPresent(path:)``.
    public func decodeIfPresent<Value>(path: String, as format: ValueFormat<Value>) throws -> Value? {
        try readIfPresent(path) { try format.read($0) }
    }

    /// Reads the value at a path.
    func read<Value>(
        _ path: JsonPath,
        expecting expectation: @autoclosure () -> String,
        _ read: (Json) throws -> Value
    ) throws -> Value {
        switch try destination(of: path) {
        case .value(let value): return try readPart(value, at: path) { try read(value) }
        case .missing(let location):
            let next = path.components.dropFirst(location.components.count).first
            let expected = next.map { $0.isIndex ? "an array" : "an object" } ?? expectation()
            throw MappingError(MappingIssue(.missing, path: location, expected: expected), in: self)
        case .null(let location):
            throw MappingError(
                MappingIssue(.null, path: location, expected: "an object or an array", found: Json.null.found),
                in: self
            )
        }
    }

    private func readIfPresent<Value>(_ text: String, _ read: (Json) throws -> Value) throws -> Value? {
        let path = try JsonPath(checking: text)
        guard case .value(let value) = try destination(of: path), !value.isNull else { return nil }
        return try readPart(value, at: path) { try salvagingOptional { try read(value) } }
    }

    private enum Destination {
        case value(Json)
        case missing(JsonPath)
        case null(JsonPath)
    }

    /// Returns the value at a path, which may be `null`. If a value on the path is missing, or is `null` before the
    /// path ends, returns the location of that value. A key in a value that is no object, or an index in a value that
    /// is no array, is an error unless the value is `null`.
    private func destination(of path: JsonPath) throws -> Destination {
        var value = self
        for (depth, step) in path.components.enumerated() {
            let location = JsonPath(Array(path.components.prefix(depth)))
            let part: Json?
            switch (step, value.kind) {
            case (.key(let key), .object), (.entry(let key), .object): part = value[key]
            case (.index(let index), .array): part = value[index]
            case (_, .null): return .null(location)
            case (.key, _), (.entry, _):
                throw wrongType(of: value, at: location, expected: "an object")
            case (.index, _):
                throw wrongType(of: value, at: location, expected: "an array")
            }
            guard let part else { return .missing(location.appending(step)) }
            value = part
        }
        return .value(value)
    }

    private func wrongType(of value: Json, at location: JsonPath, expected: String) -> MappingError {
        MappingError(MappingIssue(.wrongType, path: location, expected: expected, found: value.found), in: self)
    }
}

extension JsonPath.Component {
    fileprivate var isIndex: Bool {
        if case .index = self { true } else { false }
    }
}

extension JsonPath {
    /// Makes a path from text in the app's code.
    /// - Throws: ``MappingError`` if the text is no path.
    init(checking text: String) throws {
        guard let path = JsonPath(text) else { throw MappingError(.noPath(text)) }
        self = path
    }
}
