/// An entry of several shapes, told apart by a tag that the server sends with each.
///
/// ```swift
/// enum PaymentEntry: Discriminated {
///     case card(CardEntry)
///     case transfer(iban: String)
///     case unknown(Json)
///
///     static let discriminator = Discriminator<PaymentEntry>.on(
///         "type",
///         [
///             "card": { .card(try .from(raw: $0)) },
///             "transfer": { .transfer(iban: try $0.decode("iban")) },
///         ],
///         otherwise: { .unknown($0) }
///     )
/// }
/// struct CardEntry: Codable, RawMappable { let last4: String }
/// ```
///
/// The tag is read first and decides alone; then the value is read once, from the same object. Arrays, optionals and
/// dictionaries work as for every ``RawDecodable`` type; conform to `Decodable` as well, with nothing to write, for use
/// inside `Codable` entries. The model's `from(dto:)` is then a `switch`.
///
/// For the way back write `toRaw()` as a `switch`, and put the tag to each shape with ``Json/tagged(_:_:)``.
public protocol Discriminated: RawDecodable where Raw == Json {
    /// Which tag stands for which shape.
    static var discriminator: Discriminator<Self> { get }
}

extension Discriminated {
    /// Reads the tag, then the value.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` that lists the known tags and names the one found, or what the shape's own reading
    ///   throws.
    public static func from(raw: Json) throws -> Self { try discriminator.read(raw) }
}

extension Discriminated where Self: Decodable {
    /// Reads the value inside a `Codable` entry, with any decoder.
    /// - Parameter decoder: Where to read.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws {
        self = try decoder.mapping { try Self.from(raw: $0) }
    }

    /// Reads the tag, then the value.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: As for a type that is not `Decodable`.
    public static func from(raw: Json) throws -> Self { try discriminator.read(raw) }
}

extension Json {
    /// This object with a tag before its members, for `toRaw()` of a ``Discriminated`` type.
    ///
    /// ```swift
    /// let card: Json = ["last4": "4242"]
    /// print(card.tagged("type", "card"))       // {"type":"card","last4":"4242"}
    /// ```
    /// - Parameters:
    ///   - key: The tag's key.
    ///   - tag: The tag.
    /// - Returns: The object. A value that is no object becomes one that holds the tag alone.
    public func tagged(_ key: String, _ tag: String) -> Json {
        Json(members: [(key: key, value: Json(tag))] + members.filter { $0.key != key })
    }
}
