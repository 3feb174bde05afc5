// The functions for reading fields by hand, without `Codable`, in ``RawDecodable/from(raw:)``. They are inlinable, so
// that the compiler specializes them for the type in the app. The search and the conversion stay in the library.
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
    /// Any order works. Members that are read in the order of the text are found fastest.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on: kind `missing` without such a member, `null` for a
    ///   `null` where a value is required, `wrong type`, `out of range`, or what the type itself throws.
    @inlinable
    public func decode<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
        if Value.self == String.self, let value = try string(of: FieldKey(key)) as? Value { return value }
        if Value.self == Int.self, let value = try int(of: FieldKey(key)) as? Value { return value }
        if Value.self == Double.self, let value = try double(of: FieldKey(key)) as? Value { return value }
        if Value.self == Bool.self, let value = try bool(of: FieldKey(key)) as? Value { return value }
        guard let member = memberPosition(FieldKey(key)) else { return try decodeSlowPath(key) }
        return try locating(at: .key(key), in: self) { try withBorrowedPart(at: member) { try Value.from(raw: $0) } }
    }

    /// Reads a member of this object that may be missing or `null`; nil in both cases.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on, if the member has another value.
    @inlinable
    public func decodeIfPresent<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        // The cast is inside the optional, where the compiler can evaluate it.
        if Value.self == String.self { return try stringIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Int.self { return try intIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Double.self { return try doubleIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Bool.self { return try boolIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        guard let member = memberPositionIfPresent(FieldKey(key)) else { return try decodeIfPresentSlowPath(key) }
        if member == 0 { return nil }
        return try locating(at: .key(key), in: self) {
            try salvagingOptional { try withBorrowedPart(at: member) { try Value.from(raw: $0) } }
        }
    }

    /// Reads an element of this array.
    /// - Parameter index: Its index, counted from 0.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on: kind `missing` if the array is shorter.
    @inlinable
    public func decode<Value: RawDecodable>(at index: Int) throws -> Value where Value.Raw == Json {
        let element = try requireElement(index)
        return try locating(at: .index(index), in: self) { try Value.from(raw: element) }
    }

    /// Reads all elements of this array: the implementation of `[Value]`.
    @inlinable
    func decodeElements<Value: RawDecodable>(_ type: Value.Type) throws -> [Value] where Value.Raw == Json {
        if type == String.self, let values = strings as? [Value] { return values }
        if type == Int.self, let values = ints as? [Value] { return values }
        if type == Double.self, let values = doubles as? [Value] { return values }
        if type == [Double].self, let values = doubleLists as? [Value] { return values }
        // With an issue log every failed element may have to be reported.
        guard case .view(let document, let array) = storage, let count = document.elementCount(array),
            IssueLog.current == nil, !document.isTooDeep
        else { return try decodeElementsSlowPath(type) }
        if count == 0 { return [] }
        var position = document.firstChild(of: array)
        let first: Value = try element(0, at: position)
        // The first element shows whether the type uses the default `from(raw:)`.
        if count > 1, document.isDefault(type), let entries = try document.entries(after: first, in: array) {
            return entries
        }
        var values: [Value] = []
        values.reserveCapacity(document.capacity(for: count, of: type, in: array))
        values.append(first)
        for index in 1..<count {
            position = document.position(after: position)
            values.append(try element(index, at: position))
        }
        return values
    }

    @inlinable @inline(__always)
    func element<Value: RawDecodable>(_ index: Int, at position: Int) throws -> Value where Value.Raw == Json {
        do {
            return try withBorrowedPart(at: position) { try Value.from(raw: $0) }
        } catch {
            throw MappingError.placed(MappingError.located(error, at: .index(index)), in: self)
        }
    }

    /// Reads all members of this object: the implementation of `[String: Value]`. Returns nil if the fast path does not
    /// apply.
    @inlinable
    func decodeMembers<Value: RawDecodable>(_ type: Value.Type) throws -> [String: Value]? where Value.Raw == Json {
        guard case .view(let document, let object) = storage, let count = document.memberCount(object),
            IssueLog.current == nil, !document.isTooDeep
        else { return nil }
        var members: [String: Value] = [:]
        members.reserveCapacity(document.tableCapacity(for: count, of: type, in: object))
        var position = document.firstChild(of: object)
        for _ in 0..<count {
            let key = document.key(at: position)
            do {
                members[key] = try withBorrowedPart(at: position + 1) { try Value.from(raw: $0) }
            } catch {
                // It may be of a member that does not count.
                guard document.keysAreDistinct(in: object) else { return nil }
                throw MappingError.placed(MappingError.located(error, at: .entry(key)), in: self)
            }
            position = document.position(after: position + 1)
        }
        return members.count == count ? members : nil
    }
}

// The slow paths: the value is no plain view of received bytes, or the fast path found no value.
extension Json {
    @usableFromInline
    func decodeSlowPath<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
        try locating(at: .key(key), in: self) { try StackRoom.check() }
        guard kind == .object else { throw notObject }
        guard let member = self[key] else {
            throw MappingError(MappingIssue(.missing, path: [.key(key)], expected: typeName(Value.self)), in: self)
        }
        return try locating(at: .key(key), in: self) { try Value.from(raw: member) }
    }

    @usableFromInline
    func decodeIfPresentSlowPath<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        try locating(at: .key(key), in: self) { try StackRoom.check() }
        guard kind == .object else { throw notObject }
        guard let member = self[key], !member.isNull else { return nil }
        return try locating(at: .key(key), in: self) { try salvagingOptional { try Value.from(raw: member) } }
    }

    @usableFromInline
    func requireElement(_ index: Int) throws -> Json {
        if let element = self[index] { return element }
        guard kind == .array else {
            throw MappingError(MappingIssue(isNull ? .null : .wrongType, expected: "an array", found: found), in: self)
        }
        throw MappingError(MappingIssue(.missing, path: [.index(index)], found: found), in: self)
    }

    /// The error of a value that is no object.
    var notObject: MappingError {
        MappingError(MappingIssue(isNull ? .null : .wrongType, expected: "an object", found: found), in: self)
    }
}

extension JsonDocument {
    /// The position of the first element or key of a container.
    @usableFromInline
    func firstChild(of container: Int) -> Int { nodes.firstChild(of: container) }

    /// The key at a position.
    @usableFromInline
    func key(at position: Int) -> String { withNodes { $0.string(at: position) } }

    /// The number of an object's members; nil for other values.
    @usableFromInline
    func memberCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .object ? $0.words.memberCount(at: position) : nil }
    }

    /// The number of an array's elements; nil for other values.
    @usableFromInline
    func elementCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .array ? $0.words.memberCount(at: position) : nil }
    }

    /// The position after a value.
    @usableFromInline
    func position(after position: Int) -> Int { withNodes { $0.words.next(after: position) } }
}
