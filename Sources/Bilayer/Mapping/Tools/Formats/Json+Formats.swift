extension Json {
    /// Reads this value in a format.
    /// - Parameter format: The format.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the JSON is not of this format. Also throws what the format's closure for reading
    ///   throws.
    @inlinable
    public func decode<Value>(as format: ValueFormat<Value>) throws -> Value {
        do {
            return try format.read(self)
        } catch {
            throw MappingError.settingOrigin(of: error, to: self)
        }
    }

    /// Reads a required member of this object in a format.
    ///
    /// ```swift
    /// let raw: Json = ["createdAt": "2026-11-21T09:41:00Z"]
    /// let createdAt = try raw.decode("createdAt", as: .rfc3339)
    /// ```
    /// - Parameters:
    ///   - key: The member's key.
    ///   - format: The format of its value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on.
    public func decode<Value>(_ key: String, as format: ValueFormat<Value>) throws -> Value {
        guard let member = try member(key) else {
            throw MappingError(
                MappingIssue(.missing, path: [.key(key)], expected: format.expectation()),
                in: self
            )
        }
        return try readPart(member, at: .key(key)) { try format.read(member) }
    }

    /// Reads a member of this object in a format; returns `nil` if it is missing or `null`. Under a policy that
    /// salvages, a value that is not of the format becomes `nil`, too.
    /// - Parameters:
    ///   - key: The member's key.
    ///   - format: The format of its value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on, if the member is not of this format. Also throws if
    ///   this value is no object.
    public func decodeIfPresent<Value>(_ key: String, as format: ValueFormat<Value>) throws -> Value? {
        guard let member = try member(key), !member.isNull else { return nil }
        return try readPart(member, at: .key(key)) { try salvagingOptional { try format.read(member) } }
    }

    /// Reads an element of this array in a format.
    /// - Parameters:
    ///   - index: The element's index, counted from 0.
    ///   - format: The format of the element.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on. Its kind is `missing` if the array is shorter.
    public func decode<Value>(at index: Int, as format: ValueFormat<Value>) throws -> Value {
        let element = try requireElement(index)
        return try locating(at: .index(index), in: self, of: element) { try format.read(element) }
    }

    /// Returns a member of this object, or `nil` if it is missing.
    /// - Throws: ``MappingError`` if this value is no object.
    func member(_ key: String) throws -> Json? {
        if let member = self[key] { return member }
        if kind == .object { return nil }
        throw notObject
    }
}
