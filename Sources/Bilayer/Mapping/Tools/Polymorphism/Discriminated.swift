/// An entry with several variants, distinguished by a tag in the JSON.
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
/// The tag is read first and selects the variant. Then the value is read once, from the same object. Arrays, optionals
/// and dictionaries work as for every ``RawDecodable`` type. For use inside `Codable` entries also conform to
/// `Decodable`, which needs no code. The model's `from(dto:)` is then a `switch`.
///
/// To write the entry, conform to ``RawEncodable``. Implement `toRaw()` as a `switch`, and add the tag to each variant
/// with ``Json/tagged(_:_:)``. To write the tag inside `Codable` entries as well, also conform to `Encodable`, which
/// needs no code. `Encodable` without ``RawEncodable`` compiles only with an `encode(to:)` of your own, because a
/// synthesized form has no tag. A type with a raw value cannot conform to `Decodable` or `Encodable`, because its
/// `Codable` form would be that of the raw value.
public protocol Discriminated: RawDecodable where Raw == Json {
    /// The tag's key, and the variants by their tags.
    static var discriminator: Discriminator<Self> { get }
}

extension Discriminated {
    /// Reads the tag, then the value.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the value is no object; the error of the variant. If the discriminator has no
    ///   closure for the tag or for a missing tag, ``MappingError`` with the known tags, and with the JSON type of the
    ///   tag if there is one. Under a policy that treats warnings as errors, an unlisted tag is always an error.
    public static func from(raw: Json) throws -> Self {
        try locating(at: nil, in: raw) { try discriminator.read(raw) }
    }
}

extension Discriminated where Self: Decodable {
    /// Lets the value be a field of a `Codable` entry. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws {
        self = try decoder.mapping { try Self.from(raw: $0) }
    }

    /// Reads the tag, then the value.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the value is no object; the error of the variant. If the discriminator has no
    ///   closure for the tag or for a missing tag, ``MappingError`` with the known tags, and with the JSON type of the
    ///   tag if there is one. Under a policy that treats warnings as errors, an unlisted tag is always an error.
    public static func from(raw: Json) throws -> Self {
        try locating(at: nil, in: raw) { try discriminator.read(raw) }
    }
}

extension Discriminated where Self: Encodable {
    /// Unavailable: a synthesized form would have no tag, and could not be read back.
    @available(*, unavailable, message: "conform to 'RawEncodable' and write 'toRaw()', or write 'encode(to:)'")
    public func encode(to encoder: any Encoder) throws {}
}

extension Discriminated where Self: RawEncodable & Encodable {
    /// Unavailable: a type that conforms must implement `toRaw()`. The default would call `encode(to:)`, which calls
    /// `toRaw()`.
    @available(*, unavailable, message: "write 'toRaw()' by hand, with the tag of each variant")
    public func toRaw() throws -> Json { .null }

    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails; the error of the encoder.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

// A type with a raw value has a default `init(from:)` and `encode(to:)` of the standard library, too. All defaults
// would be ambiguous, and Swift would synthesize a form without a tag. So such a type does not compile.

extension Discriminated where Self: Decodable & RawRepresentable {
    /// Unavailable: a `Codable` type with a raw value would be read without its tag.
    @available(*, unavailable, message: "remove the raw value, or replace 'Discriminated' by 'CodableByHand'")
    public static func from(raw: Json) throws -> Self { try discriminator.read(raw) }
}

extension Discriminated where Self: Encodable & RawRepresentable {
    /// Unavailable: a `Codable` type with a raw value would be written without its tag.
    @available(*, unavailable, message: "remove the raw value, or replace 'Discriminated' by 'CodableByHand'")
    public static func from(raw: Json) throws -> Self { try discriminator.read(raw) }
}

extension Discriminated where Self: Codable & RawRepresentable {
    /// Unavailable: a `Codable` type with a raw value would be read and written without its tag.
    @available(*, unavailable, message: "remove the raw value, or replace 'Discriminated' by 'CodableByHand'")
    public static func from(raw: Json) throws -> Self { try discriminator.read(raw) }
}

// A discriminated type may also conform to `DecodableByHand`, `EncodableByHand` or `JsonWritable`. Without the
// following extensions, the defaults of the two protocols would be ambiguous, and Swift would synthesize a form without
// a tag.

extension Discriminated where Self: DecodableByHand {
    /// Lets the value be a field of a `Codable` entry. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }

    /// Reads the tag, then the value.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the value is no object; the error of the variant. If the discriminator has no
    ///   closure for the tag or for a missing tag, ``MappingError`` with the known tags, and with the JSON type of the
    ///   tag if there is one. Under a policy that treats warnings as errors, an unlisted tag is always an error.
    public static func from(raw: Json) throws -> Self {
        try locating(at: nil, in: raw) { try discriminator.read(raw) }
    }
}

extension Discriminated where Self: EncodableByHand {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails; the error of the encoder.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension Discriminated where Self: JsonWritable & Encodable {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: What ``JsonWritable/write(to:)`` throws; ``MappingError`` if the thread's stack is too small.
    public func toRaw() throws -> Json { try .written(self) }
}

extension Json {
    /// Returns this object with a tag before its other members, for `toRaw()` of a ``Discriminated`` type. A member
    /// with the tag's key is replaced.
    ///
    /// ```swift
    /// let card: Json = ["last4": "4242"]
    /// print(card.tagged("type", "card"))       // {"type":"card","last4":"4242"}
    /// ```
    /// - Parameters:
    ///   - key: The tag's key.
    ///   - tag: The tag.
    /// - Returns: The object. A value that is no object is replaced by an object with the tag only.
    public func tagged(_ key: String, _ tag: String) -> Json {
        Json(members: [(key: key, value: Json(tag))] + effectiveMembers.filter { !$0.key.hasSameBytes(as: key) })
    }
}
