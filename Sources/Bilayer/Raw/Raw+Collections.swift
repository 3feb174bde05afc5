extension Array: RawDecodable where Element: RawDecodable, Element.Raw == Json {
    /// What an array is read from.
    public typealias Raw = Json

    /// Reads a JSON array element by element.
    /// - Parameter raw: The JSON array.
    /// - Returns: The elements in their order.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    @inlinable
    public static func from(raw: Json) throws -> [Element] {
        try raw.decodeElements(Element.self)
    }
}

extension Set: RawDecodable where Element: RawDecodable, Element.Raw == Json {
    /// What a set is read from.
    public typealias Raw = Json

    /// Reads a JSON array; equal elements are kept once.
    /// - Parameter raw: The JSON array.
    /// - Returns: The elements.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    public static func from(raw: Json) throws -> Set<Element> {
        Set(try Element.elements(of: raw, as: Self.self))
    }
}

extension Dictionary: RawDecodable where Key: CodingKeyRepresentable, Value: RawDecodable, Value.Raw == Json {
    /// What a dictionary is read from.
    public typealias Raw = Json

    /// Reads a JSON object. Keys are strings, or types that stand for one (`CodingKeyRepresentable`).
    /// - Parameter raw: The JSON object.
    /// - Returns: The members.
    /// - Throws: ``MappingError`` whose path starts with the key of the member that failed.
    @inlinable
    public static func from(raw: Json) throws -> [Key: Value] {
        if Key.self == String.self, let members = try raw.decodeMembers(Value.self) as? [Key: Value] { return members }
        return try members(of: raw)
    }

    @usableFromInline
    static func members(of raw: Json) throws -> [Key: Value] {
        guard raw.kind == .object else { throw MappingError(.wrongType(in: raw, expected: Self.self)) }
        try StackRoom.check()
        let counting = raw.countingMembers
        let members = try counting.mapMembers(
            count: counting.count,
            owner: typeName(Value.self),
            name: { $0 },
            transform: { (try Key.read($0, at: .root), try Value.from(raw: $1)) }
        )
        return Dictionary(members.lazy.map(\.value)) { $1 }
    }
}

extension RawDecodable where Raw == Json {
    /// The elements of a JSON array, for the conformances above.
    fileprivate static func elements(of raw: Json, as container: Any.Type) throws -> [Self] {
        guard raw.kind == .array else { throw MappingError(.wrongType(in: raw, expected: container)) }
        try StackRoom.check()
        return try raw.elements.mapElements(owner: typeName(Self.self)) { try Self.from(raw: $0) }
    }
}
