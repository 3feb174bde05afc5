/// How `Codable` entries are read under a policy that salvages: what cannot be read is left out where that is possible,
/// and reported with its cause.
///
/// An entry is first read without tolerance. A reading that succeeds without a loss needs no more. After a failure, or
/// if a ``Lossy`` collection has left out whole elements, the entry is read once more, with this tolerance. The decoder
/// has the requested type, so it leaves out the smallest part:
///
/// | The value that cannot be read | Left out |
/// |---|---|
/// | an optional property, element or member | the value: it becomes nil |
/// | an element of an array or a set, a member of a dictionary | the element or the member |
/// | a required property | the enclosing optional property, element or member; without one the entry fails |
///
/// The first reading fails fast, so alternatives that a type tries by itself (`try?`) are the same under each policy.
/// For the same reason an element of an array is again read without tolerance first (`ValueDecoder.salvagedElements`).
/// `Json+EntryLists.swift` has an example.
struct Salvaging: DecodingTolerance {
    /// The JSON of the entry.
    let entry: Json

    func optional<Value>(
        _ type: Value.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ read: () throws -> Value
    ) throws -> Value? {
        // The path takes longer than most values, and only one that fails needs it.
        func valuePath() -> JsonPath { JsonPath(path()) }
        return try salvagingOptional(
            at: valuePath(),
            describing: { MappingError(decoding: $0, of: type, at: valuePath(), in: entry) },
            read
        )
    }
}

// Each collection of a `Codable` entry is then read as a lossy one. The conformances are found by a cast, and no symbol
// refers to them. So they are in the file of the tolerance that casts, because the linker takes an archive's files by
// their symbols.

extension Array: SalvagedCollection where Element: Decodable {
    static func salvaged(from decoder: any Decoder) throws -> [Element] { try lossy(from: decoder, tolerating: 1) }
}

extension Set: SalvagedCollection where Element: Decodable {
    static func salvaged(from decoder: any Decoder) throws -> Set<Element> { try lossy(from: decoder, tolerating: 1) }
}

extension Dictionary: SalvagedCollection where Key: CodingKeyRepresentable, Value: Decodable {
    /// A dictionary of outcomes is read to leave out members.
    static var isSalvaged: Bool { !(Value.self is any DecodingOutcome.Type) }

    static func salvaged(from decoder: any Decoder) throws -> [Key: Value] { try lossy(from: decoder, tolerating: 1) }
}

extension Optional: SalvagedCollection where Wrapped: Decodable {
    /// An optional holds one value or none: as an element or a member, too, what cannot be read becomes `nil`.
    static func salvaged(from decoder: any Decoder) throws -> Wrapped? {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { return nil }
        guard let tolerance = (decoder as? any TolerantDecoder)?.tolerance else {
            return try container.decode(Wrapped.self)
        }
        return try tolerance.optional(Wrapped.self, at: decoder.codingPath) { try container.decode(Wrapped.self) }
    }
}
