/// The tolerance with which `Codable` entries are read under a policy that salvages. Values that cannot be read are
/// left out where possible, and reported with their causes.
///
/// An entry is first read without tolerance. A reading that succeeds without a warning is the result. After a failure
/// or a warning, the entry is read once more with this tolerance. A warning is, for example, that a ``Lossy``
/// collection has left out whole elements. The decoder gets the type of each value that is requested, so it can leave
/// out the smallest part:
///
/// | The value that cannot be read | Left out |
/// |---|---|
/// | an optional property, element or member | the value: it becomes nil |
/// | an element of an array or a set, a member of a dictionary | the element or the member |
/// | a required property | the enclosing optional property, element or member; without one the entry fails |
///
/// The first reading has no tolerance. So a type that tries alternatives by itself (`try?`) chooses the same
/// alternative as under the standard policy, unless another value of the entry fails or has a warning. Then the
/// alternatives are read with tolerance, too: an array without the elements that cannot be read is an alternative that
/// fits. To keep the choice in more cases, the elements of an array in the entry are first read without tolerance, as
/// long as a ``TrialBudget`` allows it (`ValueDecoder.salvagedElements`). `Json+EntryLists.swift` has an example.
final class Salvaging: DecodingTolerance {
    /// The JSON of the entry.
    let entry: Json

    init(entry: Json) { self.entry = entry }

    func optional<Value>(
        _ type: Value.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ read: () throws -> Value
    ) throws -> Value? {
        // Making the path takes longer than reading most values, and only a value that fails needs the path.
        func valuePath() -> JsonPath { JsonPath(path()) }
        return try salvagingOptional(
            at: valuePath(),
            describing: { MappingError(decoding: $0, of: type, at: valuePath(), in: entry) },
            read
        )
    }
}

// With this tolerance, each collection of a `Codable` entry is read element by element. The policy of the mapping in
// progress decides whether bad elements are left out. It leaves nothing out while a value with a default is read
// without tolerance (``MappingSession/readingWhole(_:)``). After the mapping has ended, nothing is left out either.
//
// The conformances are found by a cast, and no symbol refers to them. The linker takes a file from an archive only if
// one of its symbols is referenced. So the conformances are in the same file as the tolerance.

extension Array: SalvagedCollection where Element: Decodable {
    static func salvaged(from decoder: any Decoder) throws -> [Element] {
        try DecodingAttempt<Element>.values(in: decoder, of: Self.self, .followingPolicy(in: decoder))
    }
}

extension Set: SalvagedCollection where Element: Decodable {
    static func salvaged(from decoder: any Decoder) throws -> Set<Element> {
        Set(try DecodingAttempt<Element>.values(in: decoder, of: Self.self, .followingPolicy(in: decoder)))
    }
}

extension Dictionary: SalvagedCollection where Key: CodingKeyRepresentable, Value: Decodable {
    /// False for a dictionary of ``IndirectAttempt``: the caller drops its failed members itself.
    static var isSalvaged: Bool { !(Value.self is any AnyDecodingAttempt.Type) }

    static func salvaged(from decoder: any Decoder) throws -> [Key: Value] {
        try members(in: decoder, .followingPolicy(in: decoder))
    }
}

extension Optional: SalvagedCollection where Wrapped: Decodable {
    /// Reads an optional, which may be an element or a member. A value that cannot be read becomes `nil`.
    static func salvaged(from decoder: any Decoder) throws -> Wrapped? {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return nil }
        guard let tolerance = (decoder as? any TolerantDecoder)?.tolerance else {
            return try container.decode(Wrapped.self)
        }
        return try tolerance.optional(Wrapped.self, at: decoder.codingPath) { try container.decode(Wrapped.self) }
    }
}
