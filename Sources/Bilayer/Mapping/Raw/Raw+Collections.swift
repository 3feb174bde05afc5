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
                transform: { (try Key.read($0, at: .root), try Value.from(part: $1)) }
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
        guard let elements = elementsWithoutLog(stride: MemoryLayout<Value>.stride) else {
            return try decodeElementsSlowPath(type)
        }
        if elements.count == 0 { return [] }
        var position = elements.first
        let first: Value = try element(0, at: position)
        // The first element shows whether the type uses the default `from(raw:)`.
        if elements.count > 1, DefaultConformanceTypes.usesDefaultReading(type),
            let entries = try entries(after: first)
        {
            return entries
        }
        var values: [Value] = []
        values.reserveCapacity(elements.capacity)
        values.append(consume first)
        for index in 1..<elements.count {
            position = partPosition(after: position)
            values.append(try element(index, at: position))
        }
        return values
    }

    @inlinable @inline(__always)
    func element<Value: RawDecodable>(_ index: Int, at position: Int) throws -> Value where Value.Raw == Json {
        do {
            return try withBorrowedPart(at: position) { try Value.from(raw: $0) }
        } catch {
            throw MappingError.ofPart(error, of: Value.self, at: .index(index), position, in: self)
        }
    }

    /// Reads all members of this object: the implementation of `[String: Value]`. Returns `nil` if the fast path does
    /// not apply.
    @inlinable
    func decodeMembers<Value: RawDecodable>(_ type: Value.Type) throws -> [String: Value]? where Value.Raw == Json {
        // Each member is counted twice, because a dictionary's hash table has about twice as many slots as members.
        guard let parts = membersWithoutLog(stride: 2 &* MemoryLayout<(String, Value)>.stride) else { return nil }
        var members: [String: Value] = [:]
        members.reserveCapacity(parts.capacity)
        var position = parts.first
        var repeated: Set<Int>?
        for index in 0..<parts.count {
            let key = partKey(at: position)
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
                    throw MappingError.ofPart(error, of: Value.self, at: .entry(key), position + 1, in: self)
                }
            }
            position = partPosition(after: position + 1)
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
        _ position: Int,
        in container: Json
    ) -> any Error {
        let error = owned(settingOrigin(of: error, to: container.part(at: position)), by: ownerName(of: type))
        return settingOrigin(of: located(error, at: component), to: container)
    }
}

extension RawDecodable where Raw == Json {
    /// Reads the elements of a JSON array, for the conformance of sets.
    fileprivate static func elements(of raw: Json, as container: Any.Type) throws -> [Self] {
        guard raw.kind == .array else { throw MappingError(.wrongType(in: raw, expected: container)) }
        try StackSpace.check()
        raw.recordDocument()
        return try locating(at: nil, in: raw) {
            try raw.elements.mapElements(owner: ownerName(of: Self.self)) { try Self.from(part: $0) }
        }
    }
}

// The parts of a parsed container. These functions do not retain the document.
extension Json {
    /// The parts of an array or object in a parsed text.
    @usableFromInline
    struct Parts {
        /// The position of the first element or key.
        @usableFromInline let first: Int
        /// The number of elements or members.
        @usableFromInline let count: Int
        /// The capacity to reserve before the first part is read.
        @usableFromInline let capacity: Int
    }

    /// Finds the elements of this array for the fast path.
    /// - Parameter stride: The memory for each element, in bytes.
    /// - Returns: The elements. `nil` if this value is no array in a parsed text, if an issue log is bound, or if the
    ///   stack is nearly full.
    @usableFromInline
    func elementsWithoutLog(stride: Int) -> Parts? { partsWithoutLog(of: .array, stride: stride) }

    /// Finds the members of this object for the fast path.
    /// - Parameter stride: The memory for each member, in bytes.
    /// - Returns: The members. `nil` if this value is no object in a parsed text, if an issue log is bound, or if the
    ///   stack is nearly full.
    @usableFromInline
    func membersWithoutLog(stride: Int) -> Parts? { partsWithoutLog(of: .object, stride: stride) }

    @inline(__always)
    private func partsWithoutLog(of tag: IndexWord.Tag, stride: Int) -> Parts? {
        if IssueLog.current != nil || isStackLow { return nil }
        return readView { nodes, position in
            guard nodes.tag(at: position) == tag else { return nil }
            let count = nodes.words.memberCount(at: position)
            return Parts(
                first: nodes.firstChild(of: position),
                count: count,
                capacity: nodes.capacity(for: count, stride: stride, in: position)
            )
        }
    }

    /// Returns the key at a position of this value's text.
    @usableFromInline
    func partKey(at position: Int) -> String { readView { nodes, _ in nodes.string(at: position) } ?? "" }

    /// Returns the position after the value at a position of this value's text.
    @usableFromInline
    func partPosition(after position: Int) -> Int { readView { nodes, _ in nodes.words.next(after: position) } ?? 0 }
}
