// Arrays, sets and dictionaries of entries. The elements of an array of `Codable` entries after the first can be read
// in one `DecodingSession`.

extension Array: RawDecodable where Element: RawDecodable, Element.Raw == Json {
    /// The raw type of an array.
    public typealias Raw = Json

    /// Reads a JSON array element by element.
    /// - Parameter raw: The JSON array.
    /// - Returns: The elements in their order.
    /// - Throws: ``MappingError``. For an element that failed, its path starts with the element's index.
    @inlinable
    public static func from(raw: Json) throws -> [Element] {
        do {
            return try raw.decodeElements(Element.self)
        } catch {
            throw MappingError.settingOrigin(of: error, to: raw)
        }
    }
}

extension Set: RawDecodable where Element: RawDecodable, Element.Raw == Json {
    /// The raw type of a set.
    public typealias Raw = Json

    /// Reads a JSON array. Of several equal elements only one is kept.
    /// - Parameter raw: The JSON array.
    /// - Returns: The elements.
    /// - Throws: ``MappingError``. For an element that failed, its path starts with the element's index.
    public static func from(raw: Json) throws -> Set<Element> {
        Set(try Element.elements(of: raw, as: Self.self))
    }
}

extension Dictionary: RawDecodable where Key: CodingKeyRepresentable, Value: RawDecodable, Value.Raw == Json {
    /// The raw type of a dictionary.
    public typealias Raw = Json

    /// Reads a JSON object. Its keys become values of the key type (`CodingKeyRepresentable`), for example strings.
    /// - Parameter raw: The JSON object.
    /// - Returns: The members.
    /// - Throws: ``MappingError``. For a member that failed, its path starts with the member's key.
    @inlinable
    public static func from(raw: Json) throws -> [Key: Value] {
        if Key.self == String.self, let members = try raw.decodeMembers(Value.self) as? [Key: Value] { return members }
        return try members(of: raw)
    }

    @usableFromInline
    static func members(of raw: Json) throws -> [Key: Value] {
        guard raw.kind == .object else { throw MappingError(.wrongType(in: raw, expected: Self.self)) }
        try StackSpace.check()
        raw.recordDocument()
        let counting = raw.effectiveMembers
        let members = try locating(at: nil, in: raw) {
            try counting.mapMembers(
                count: counting.count,
                owner: ownerName(of: Value.self),
                name: { $0 },
                transform: { (try Key.read($0, at: .root), try Value.from(raw: $1)) }
            )
        }
        return counting.dictionary(of: members.lazy.map(\.value))
    }
}

extension Json {
    /// Reads all elements of this array: the implementation of `[Value]`.
    @inlinable
    func decodeElements<Value: RawDecodable>(_ type: Value.Type) throws -> [Value] where Value.Raw == Json {
        if type == String.self, let values = strings as? [Value] { return values }
        if type == Int.self, let values = ints as? [Value] { return values }
        if type == Double.self, let values = doubles as? [Value] { return values }
        if type == [Double].self, let values = doubleLists as? [Value] { return values }
        // With an issue log the slow path is used, because every failed element may have to be reported.
        guard case .view(let document, let array) = storage, let count = document.elementCount(array),
            IssueLog.current == nil, !document.isStackLow
        else { return try decodeElementsSlowPath(type) }
        if count == 0 { return [] }
        var position = document.firstChild(of: array)
        let first: Value = try element(0, at: position)
        // The first element shows whether the type uses the default `from(raw:)`.
        if count > 1, DefaultConformanceTypes.usesDefaultReading(type),
            let entries = try document.entries(after: first, in: array)
        {
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
            throw MappingError.ofPart(error, of: Value.self, at: .index(index), in: self)
        }
    }

    /// Reads all members of this object: the implementation of `[String: Value]`. Returns `nil` if the fast path does
    /// not apply.
    @inlinable
    func decodeMembers<Value: RawDecodable>(_ type: Value.Type) throws -> [String: Value]? where Value.Raw == Json {
        guard case .view(let document, let object) = storage, let count = document.memberCount(object),
            IssueLog.current == nil, !document.isStackLow
        else { return nil }
        var members: [String: Value] = [:]
        members.reserveCapacity(document.tableCapacity(for: count, of: type, in: object))
        var position = document.firstChild(of: object)
        var repeated: Set<Int>?
        for index in 0..<count {
            let key = document.key(at: position)
            do {
                let value = try withBorrowedPart(at: position + 1) { try Value.from(raw: $0) }
                if let earlier = members.updateValue(value, forKey: key), !lastOfEqualKeysCounts {
                    members[key] = earlier
                }
            } catch {
                if error is CancellationError { throw error }
                // Of members with equal keys only one counts. The error has no effect if this member is not that one.
                let indices = repeated ?? repeatedMembers
                repeated = indices
                guard indices.contains(index) else {
                    throw MappingError.ofPart(error, of: Value.self, at: .entry(key), in: self)
                }
            }
            position = document.position(after: position + 1)
        }
        return members
    }
}

extension MappingError {
    /// Returns the error to throw if an element or member of a container failed with `error`.
    @usableFromInline
    static func ofPart(
        _ error: any Error,
        of type: Any.Type,
        at component: JsonPath.Component,
        in container: Json
    ) -> any Error {
        settingOrigin(of: located(owned(error, by: ownerName(of: type)), at: component), to: container)
    }
}

extension RawDecodable where Raw == Json {
    /// Reads the elements of a JSON array, for the conformance of sets.
    fileprivate static func elements(of raw: Json, as container: Any.Type) throws -> [Self] {
        guard raw.kind == .array else { throw MappingError(.wrongType(in: raw, expected: container)) }
        try StackSpace.check()
        raw.recordDocument()
        return try locating(at: nil, in: raw) {
            try raw.elements.mapElements(owner: ownerName(of: Self.self)) { try Self.from(raw: $0) }
        }
    }
}

extension JsonDocument {
    /// Returns the position of the first element or key of a container.
    @usableFromInline
    func firstChild(of container: Int) -> Int { nodes.firstChild(of: container) }

    /// Returns the key at a position.
    @usableFromInline
    func key(at position: Int) -> String { withNodes { $0.string(at: position) } }

    /// Returns the number of an object's members; `nil` for any other value.
    @usableFromInline
    func memberCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .object ? $0.words.memberCount(at: position) : nil }
    }

    /// Returns the number of an array's elements; `nil` for any other value.
    @usableFromInline
    func elementCount(_ position: Int) -> Int? {
        withNodes { $0.tag(at: position) == .array ? $0.words.memberCount(at: position) : nil }
    }

    /// Returns the position after a value.
    @usableFromInline
    func position(after position: Int) -> Int { withNodes { $0.words.next(after: position) } }
}
