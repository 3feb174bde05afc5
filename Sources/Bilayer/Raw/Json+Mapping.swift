// Reading fields by hand, without `Codable`: what ``RawDecodable/from(raw:)`` is written with. The functions are
// inlinable so that the compiler sees which type is read where the app calls; the searching and converting stay inside.
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
    /// Any order works; members that are read in the order of the text are found fastest.
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
        guard let member = memberPosition(FieldKey(key)) else { return try decodeUnusual(key) }
        return try locating(at: .key(key)) { try lendPart(at: member) { try Value.from(raw: $0) } }
    }

    /// Reads a member of this object that may be missing or `null`; nil in both cases.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on, if there is something else than such a value.
    @inlinable
    public func decodeIfPresent<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        // Cast behind the optional: there the compiler knows the answer.
        if Value.self == String.self { return try stringIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Int.self { return try intIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Double.self { return try doubleIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        if Value.self == Bool.self { return try boolIfPresent(of: FieldKey(key)).flatMap { $0 as? Value } }
        guard let member = memberPositionIfPresent(FieldKey(key)) else { return try decodeUnusualIfPresent(key) }
        if member == 0 { return nil }
        return try locating(at: .key(key)) {
            try salvagingOptional { try lendPart(at: member) { try Value.from(raw: $0) } }
        }
    }

    /// Reads an element of this array.
    /// - Parameter index: Its index, counted from 0.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on: kind `missing` if the array is shorter.
    @inlinable
    public func decode<Value: RawDecodable>(at index: Int) throws -> Value where Value.Raw == Json {
        let element = try requireElement(index)
        return try locating(at: .index(index)) { try Value.from(raw: element) }
    }

    /// Reads all elements of this array: what `[Value]` does to be read.
    @inlinable
    func decodeElements<Value: RawDecodable>(_ type: Value.Type) throws -> [Value] where Value.Raw == Json {
        if type == String.self, let values = strings as? [Value] { return values }
        if type == Int.self, let values = ints as? [Value] { return values }
        if type == Double.self, let values = doubles as? [Value] { return values }
        if type == [Double].self, let values = doubleLists as? [Value] { return values }
        // With an issue log every failed element may have to be reported.
        guard case .view(let document, let array) = storage, let count = document.elementCount(array),
            IssueLog.current == nil, !document.isTooDeep
        else { return try decodeUnusualElements(type) }
        var values: [Value] = []
        if count == 1 || !document.isDefault(type) {
            values.reserveCapacity(document.capacity(for: count, of: type, in: array))
        }
        var position = document.firstChild(of: array)
        for index in 0..<count {
            do {
                values.append(try lendPart(at: position) { try Value.from(raw: $0) })
            } catch {
                throw MappingError.located(error, at: .index(index))
            }
            // The first element shows whether the type uses the default `from(raw:)`.
            if index == 0, count > 1, document.isDefault(type),
                let entries = try document.entries(after: values[0], in: array)
            {
                return entries
            }
            position = document.position(after: position)
        }
        return values
    }

    /// Reads all members of this object: what `[String: Value]` does to be read. Nil if that takes more than a walk.
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
                members[key] = try lendPart(at: position + 1) { try Value.from(raw: $0) }
            } catch {
                // It may be of a member that does not count.
                guard document.keysAreDistinct(in: object) else { return nil }
                throw MappingError.located(error, at: .entry(key))
            }
            position = document.position(after: position + 1)
        }
        return members.count == count ? members : nil
    }
}

// What is left when the value is no plain view of received bytes, or the fast path found nothing.
extension Json {
    @usableFromInline
    func decodeUnusual<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
        try locating(at: .key(key)) { try StackRoom.check() }
        guard kind == .object else { throw MappingError(notObject) }
        guard let member = self[key] else {
            throw MappingError(
                MappingIssue(.missing, path: [.key(key)], expected: typeName(Value.self))
            )
        }
        return try locating(at: .key(key)) { try Value.from(raw: member) }
    }

    @usableFromInline
    func decodeUnusualIfPresent<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        try locating(at: .key(key)) { try StackRoom.check() }
        guard kind == .object else { throw MappingError(notObject) }
        guard let member = self[key], !member.isNull else { return nil }
        return try locating(at: .key(key)) { try salvagingOptional { try Value.from(raw: member) } }
    }

    @usableFromInline
    func decodeUnusualElements<Value: RawDecodable>(_ type: Value.Type) throws -> [Value] where Value.Raw == Json {
        try StackRoom.check()
        guard kind == .array else { throw MappingError(.wrongType(in: self, expected: [Value].self)) }
        return try elements.mapElements(owner: typeName(Value.self)) { try Value.from(raw: $0) }
    }

    @usableFromInline
    func requireElement(_ index: Int) throws -> Json {
        if let element = self[index] { return element }
        guard kind == .array else {
            throw MappingError(MappingIssue(isNull ? .null : .wrongType, expected: "an array", found: found))
        }
        throw MappingError(MappingIssue(.missing, path: [.index(index)], found: found))
    }

    private var notObject: MappingIssue {
        MappingIssue(isNull ? .null : .wrongType, expected: "an object", found: found)
    }
}

extension JsonDocument {
    /// The position of the first element or key of a container.
    @usableFromInline
    func firstChild(of container: Int) -> Int { nodes.firstChild(of: container) }

    /// The key at a position.
    @usableFromInline
    func key(at position: Int) -> String { withNodes { $0.string(at: position) } }

    /// How many members an object has; nil if the value is none.
    @usableFromInline
    func memberCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .object ? $0.words.memberCount(at: position) : nil }
    }

    /// How many elements an array has; nil if the value is none.
    @usableFromInline
    func elementCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .array ? $0.words.memberCount(at: position) : nil }
    }

    /// The position after a value.
    @usableFromInline
    func position(after position: Int) -> Int { withNodes { $0.words.next(after: position) } }
}
