// Reading fields by hand, without `Codable`: what ``RawDecodable/from(raw:)`` is written with. The functions are inlinable so that
// the compiler sees which type is read where the app calls; the searching and converting stay inside.
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
    /// Any order works; members that are asked for in the order in which they stand in the text are found fastest.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on: kind `missing` without such a member, `null` for a `null` where a
    ///   value is required, `wrong type`, `out of range`, or what the type itself throws.
    @inlinable
    public func decode<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
        guard case .view(let document, let object) = storage,
            case let position = document.position(of: key, in: object), position > 0
        else { return try decodeUnusual(key) }
        if mayForgive(Value.self) {
            return try locating(at: .key(key)) { try Value.from(raw: Json(.view(document, position))) }
        }
        do {
            return try document.read(Value.self, at: position)
        } catch {
            throw MappingError.located(error, at: .key(key))
        }
    }

    /// Reads a member of this object that may be missing or `null`; nil in both cases.
    /// - Parameter key: The member's key.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with the path from this value on, if there is something else than such a value.
    @inlinable
    public func decodeIfPresent<Value: RawDecodable>(_ key: String) throws -> Value? where Value.Raw == Json {
        guard case .view(let document, let object) = storage,
            case let position = document.position(of: key, in: object), position > 0
        else { return try decodeUnusualIfPresent(key) }
        if document.isNull(position) { return nil }
        if mayForgive(Value.self) {
            return try locating(at: .key(key)) { try Value.from(raw: Json(.view(document, position))) }
        }
        do {
            return try document.read(Value.self, at: position)
        } catch {
            throw MappingError.located(error, at: .key(key))
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
        guard case .view(let document, let array) = storage, let count = document.elementCount(array),
            !mayForgive(type) || MappingSession.current == nil
        else { return try decodeUnusualElements(type) }
        var values: [Value] = []
        values.reserveCapacity(count)
        var position = array &+ 2
        for index in 0..<count {
            if index & 0xFFF == 0 && (index > 0 || mayForgive(type)) { try Task.checkCancellation() }
            do {
                values.append(try document.read(type, at: position))
            } catch {
                // A mapping in progress may want to hear of every bad element.
                if !mayForgive(type) && MappingSession.current != nil { return try decodeUnusualElements(type) }
                throw MappingError.located(error, at: .index(index))
            }
            position = document.position(after: position)
        }
        return values
    }
}

/// Whether a type's `from(raw:)` could forgive anything. The plain values cannot: with the type known where this is compiled, it is
/// a constant, and reading a field does not look for a mapping in progress.
@inlinable
func mayForgive<Value>(_ type: Value.Type) -> Bool {
    !(type == String.self || type == Int.self || type == Double.self || type == Bool.self)
}

// What is left when the value is no plain view of received bytes, or the fast path found nothing.
extension Json {
    @usableFromInline
    func decodeUnusual<Value: RawDecodable>(_ key: String) throws -> Value where Value.Raw == Json {
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
        guard kind == .object else { throw MappingError(notObject) }
        guard let member = self[key], !member.isNull else { return nil }
        return try locating(at: .key(key)) { try salvagingOptional { try Value.from(raw: member) } }
    }

    @usableFromInline
    func decodeUnusualElements<Value: RawDecodable>(_ type: Value.Type) throws -> [Value] where Value.Raw == Json {
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
    /// Reads a value. The comparisons of types are decided when the compiler makes the code for one type; what they save is a ``Json``,
    /// and with it a reference that is counted, for each field.
    @inlinable
    func read<Value: RawDecodable>(_ type: Value.Type, at position: Int) throws -> Value where Value.Raw == Json {
        if type == String.self, let value = try string(at: position) as? Value { return value }
        if type == Int.self, let value = try int(at: position) as? Value { return value }
        if type == Double.self, let value = try double(at: position) as? Value { return value }
        if type == Bool.self, let value = try bool(at: position) as? Value { return value }
        return try Value.from(raw: Json(.view(self, position)))
    }

    @usableFromInline
    func string(at position: Int) throws -> String {
        guard nodes.tag(at: position).isString else { return try String.from(raw: Json(.view(self, position))) }
        return withNodes { $0.string(at: position) }
    }

    @usableFromInline
    func int(at position: Int) throws -> Int {
        if let value: Int = withNodes({ $0.integer(at: position) }) { return value }
        return try Int.from(raw: Json(.view(self, position)))
    }

    @usableFromInline
    func double(at position: Int) throws -> Double {
        if let value = withNodes({ $0.double(at: position) }) { return value }
        return try Double.from(raw: Json(.view(self, position)))
    }

    @usableFromInline
    func bool(at position: Int) throws -> Bool {
        switch nodes.tag(at: position) {
        case .true: true
        case .false: false
        default: try Bool.from(raw: Json(.view(self, position)))
        }
    }

    /// The position of a member's value; 0, which is the root, if the value is no object or has no such member.
    @usableFromInline
    func position(of key: String, in object: Int) -> Int { member(key, of: object) ?? 0 }

    /// Whether there is a `null`.
    @usableFromInline
    func isNull(_ position: Int) -> Bool { withNodes { $0.tag(at: position) == .null } }

    /// How many elements an array has; nil if the value is none.
    @usableFromInline
    func elementCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .array ? $0.words.memberCount(at: position) : nil }
    }

    /// The position after a value.
    @usableFromInline
    func position(after position: Int) -> Int { withNodes { $0.words.next(after: position) } }
}
