extension Json {
    /// Reads a required member with alternative keys: the first key that is present counts.
    ///
    /// ```swift
    /// let raw: Json = ["user_name": "Ann"]
    /// let name: String = try raw.decode(anyOf: "userName", "user_name")
    /// ```
    /// A different value under another of the keys is reported as ``MappingIssue/Kind/keyClash``, and is an error under
    /// a policy that treats warnings as errors. A `null` counts as missing if another of the keys has a value.
    /// - Parameters:
    ///   - key: The preferred key.
    ///   - others: The other keys, in order of preference.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path through the key that was read. If no key is present, the error has kind
    ///   `missing` and the path of the first key. Also throws if this value is no object, and for a refused clash, with
    ///   the path of the other key.
    public func decode<Value: RawDecodable>(anyOf key: String, _ others: String...) throws -> Value
    where Value.Raw == Json {
        try decode(anyOf: [key] + others, expecting: typeName(Value.self)) { try Value.from(raw: $0) }
    }

    /// Reads a member with alternative keys. Returns `nil` if no key is present, or if all present members are `null`.
    /// Under a policy that salvages, a value that cannot be read becomes `nil`, too.
    /// - Parameters:
    ///   - key: The preferred key.
    ///   - others: The other keys, in order of preference.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path through the key that was read, if the value cannot be read. Also throws
    ///   if this value is no object, and for a refused clash, as ``decode(anyOf:_:)`` does.
    public func decodeIfPresent<Value: RawDecodable>(anyOf key: String, _ others: String...) throws -> Value?
    where Value.Raw == Json {
        try decodeIfPresent(anyOf: [key] + others) { try Value.from(raw: $0) }
    }

    /// Reads a required member with alternative keys in a format; see ``decode(anyOf:_:)``.
    /// - Parameters:
    ///   - key: The preferred key.
    ///   - others: The other keys, in order of preference.
    ///   - format: The format of the value.
    /// - Returns: The value.
    /// - Throws: As ``decode(anyOf:_:)``.
    public func decode<Value>(anyOf key: String, _ others: String..., as format: ValueFormat<Value>) throws -> Value {
        try decode(anyOf: [key] + others, expecting: format.expectation()) { try format.read($0) }
    }

    /// Reads a member with alternative keys in a format. Returns `nil` as ``decodeIfPresent(anyOf:_:)`` does.
    /// - Parameters:
    ///   - key: The preferred key.
    ///   - others: The other keys, in order of preference.
    ///   - format: The format of the value.
    /// - Returns: The value.
    /// - Throws: As ``decodeIfPresent(anyOf:_:)``.
    public func decodeIfPresent<Value>(
        anyOf key: String,
        _ others: String...,
        as format: ValueFormat<Value>
    ) throws -> Value? {
        try decodeIfPresent(anyOf: [key] + others) { try format.read($0) }
    }

    private func decode<Value>(
        anyOf keys: [String],
        expecting expectation: @autoclosure () -> String,
        _ read: (Json) throws -> Value
    ) throws -> Value {
        try settingAsideOnFailure {
            guard let (key, value) = try firstMember(of: keys) else {
                let others = keys.dropFirst().map { "\"\($0)\"" }.joined(separator: ", ")
                throw MappingError(
                    MappingIssue(
                        .missing,
                        path: JsonPath(keys.prefix(1).map { .key($0) }),
                        expected: expectation(),
                        detail: others.isEmpty ? nil : "nor is there \(others)"
                    ),
                    in: self
                )
            }
            return try readPart(value, at: .key(key)) { try read(value) }
        }
    }

    private func decodeIfPresent<Value>(anyOf keys: [String], _ read: (Json) throws -> Value) throws -> Value? {
        try settingAsideOnFailure {
            guard let (key, value) = try firstMember(of: keys), !value.isNull else { return nil }
            return try readPart(value, at: .key(key)) { try salvagingOptional { try read(value) } }
        }
    }

    /// Returns the first member with a value, or else the first member that is `null`.
    private func firstMember(of keys: [String]) throws -> (location: String, found: Json)? {
        try firstPresent(of: keys) {
            try member($0)
        } isNull: {
            $0.isNull
        } clash: { chosen, other in
            if other.found == chosen.found { return nil }
            let read = "\"\(chosen.location)\""
            var issue = MappingIssue.keyClash(at: [.key(other.location)], found: other.found.found, read: read)
            issue.setContainer(self)
            return issue
        }
    }
}
