// The functions for reading fields by hand, without `Codable`, in ``RawDecodable/from(raw:)``. They are inlinable, so
// that the compiler specializes them for the app's types. The search and the conversion stay in the library.
extension Json {
    /// Reads a required member of this object.
    ///
    /// ```swift
    /// struct PointEntry: RawDecodable {
    ///     let x: Double
    ///     let label: String?
    ///
    ///     static func from(raw: Json) throws -> PointEntry {
    ///         try PointEntry(x: raw.decode("x"), label: raw.decodeIfPresent("label"))
    ///     }
    /// }
    /// ```
    /// Members can be read in any order. Reading them in the order of the text is fastest.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from the root of the text. Its kind is `missing` if there is no such
    ///   member, and `null` if the member is `null` but a value is required. Otherwise it is `wrong type`,
    ///   `out of range`, or a kind that the type itself throws. If this value is no object, the kind is `wrong type` or
    ///   `null`.
    @inlinable
    public func decode<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
        if Value.self == String.self, let value = try string(of: FieldKey(key)) as? Value { return value }
        if Value.self == Int.self, let value = try int(of: FieldKey(key)) as? Value { return value }
        if Value.self == Double.self, let value = try double(of: FieldKey(key)) as? Value { return value }
        if Value.self == Bool.self, let value = try bool(of: FieldKey(key)) as? Value { return value }
        guard let member = memberPosition(FieldKey(key)) else { return try decodeSlowPath(key) }
        return try locatingMember(key, at: member) { try withBorrowedPart(at: member) { try Value.from(raw: $0) } }
    }

    /// Reads a member of this object that may be missing or `null`. Returns `nil` in both cases. Under a policy that
    /// salvages, a value that cannot be read becomes `nil`, too.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from the root of the text, if the member has a value that cannot be
    ///   read. Also throws if this value is no object.
    @inlinable
    public func decodeIfPresent<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        // The cast is inside the optional, where the compiler can evaluate it.
        if Value.self == String.self { return try stringIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Int.self { return try intIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Double.self { return try doubleIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Bool.self { return try boolIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        guard let member = memberPositionIfPresent(FieldKey(key)) else { return try decodeIfPresentSlowPath(key) }
        if member == 0 { return nil }
        return try locatingMember(key, at: member) {
            try salvagingOptional { try withBorrowedPart(at: member) { try Value.from(raw: $0) } }
        }
    }

    /// Reads an element of this array.
    /// - Parameter index: Its index, counted from 0.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from the root of the text. Its kind is `missing` if the array is
    ///   shorter. If this value is no array, the kind is `wrong type` or `null`.
    @inlinable
    public func decode<Value: RawDecodable>(at index: Int) throws -> Value where Value.Raw == Json {
        let element = try requireElement(index)
        return try locating(at: .index(index), in: self, of: element) { try Value.from(raw: element) }
    }

    /// Reads a member, as `locating(at:in:of:owner:_:)` does. It is a function of its own, because code that is inlined
    /// into the app's functions must be small.
    @inlinable
    func locatingMember<Value>(_ key: String, at position: Int, _ read: () throws -> Value) throws -> Value {
        try placing(read) { log, mark in
            locate(log, since: mark, key, at: position)
        } error: {
            failure($0, ofMember: key, at: position)
        }
    }

    @usableFromInline
    @inline(never)
    func locate(_ log: IssueLog, since mark: IssueLog.Mark, _ key: String, at position: Int) {
        log.setOrigin(part(at: position), since: mark)
        log.prefix(since: mark, by: .key(key))
        log.setContainer(self, since: mark)
    }

    @usableFromInline
    @inline(never)
    func failure(_ error: any Error, ofMember key: String, at position: Int) -> any Error {
        let error = MappingError.settingOrigin(of: error, to: part(at: position))
        return MappingError.settingContainer(of: MappingError.located(error, at: .key(key)), to: self)
    }
}

// The slow paths. They are used if the value is no part of a parsed text, if the fast path found no value, or if the
// stack is nearly full.
extension Json {
    @usableFromInline
    func decodeSlowPath<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
        try locating(at: .key(key), in: self) { try StackSpace.check() }
        guard kind == .object else { throw notObject }
        guard let member = self[key] else {
            throw MappingError(MappingIssue(.missing, path: [.key(key)], expected: typeName(Value.self)), in: self)
        }
        return try locating(at: .key(key), in: self, of: member) { try Value.from(raw: member) }
    }

    @usableFromInline
    func decodeIfPresentSlowPath<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        try locating(at: .key(key), in: self) { try StackSpace.check() }
        guard kind == .object else { throw notObject }
        guard let member = self[key], !member.isNull else { return nil }
        return try locating(at: .key(key), in: self, of: member) {
            try salvagingOptional { try Value.from(raw: member) }
        }
    }

    @usableFromInline
    func requireElement(_ index: Int) throws -> Json {
        try readPart(nil, at: .index(index)) {}
        if let element = self[index] { return element }
        guard kind == .array else {
            throw MappingError(MappingIssue(isNull ? .null : .wrongType, expected: "an array", found: found), in: self)
        }
        throw MappingError(MappingIssue(.missing, path: [.index(index)], found: found), in: self)
    }

    /// Reads a part of this value, and adds the path component to its errors and issues. Throws if the thread's stack
    /// is too small. Used where the app's code reads the part, because that code may nest calls as deep as the values
    /// are nested.
    func readPart<Value>(
        _ part: Json?,
        at step: @autoclosure () -> JsonPath.Component,
        _ read: () throws -> Value
    ) throws -> Value {
        try locating(at: step(), in: self, of: part) {
            try checkRoom()
            return try read()
        }
    }

    /// Reads a part of this value several path components deep.
    func readPart<Value>(_ part: Json, at path: JsonPath, _ read: () throws -> Value) throws -> Value {
        try locating(at: path, in: self, of: part) {
            try checkRoom()
            return try read()
        }
    }

    /// - Throws: ``MappingError`` if the thread's stack is too small for another value inside this one.
    private func checkRoom() throws {
        if case .view(let document, _) = storage, !document.isStackLow { return }
        try StackSpace.check()
    }

    /// The error for this value if an object is expected.
    var notObject: MappingError {
        MappingError(MappingIssue(isNull ? .null : .wrongType, expected: "an object", found: found), in: self)
    }
}
