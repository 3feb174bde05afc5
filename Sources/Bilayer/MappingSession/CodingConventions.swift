/// The conventions of one server for `Codable` entries: the naming of keys, and the formats of certain types. A client
/// has one value.
///
/// ```swift
/// var client = Client(baseURL: URL(fileURLWithPath: "/"))
/// client.conventions.keys = .snakeCase
/// client.conventions.scalars.register(Date.self, as: .rfc3339)
/// ```
///
/// They apply to entries that are read and written by their `Codable` conformance. Entries by hand name their keys and
/// formats, and are not affected. One endpoint may have other conventions (``Route/with(conventions:)``).
///
/// Errors and reports of both layers have the JSON's keys in their paths, and the property's name in addition.
public struct CodingConventions: Sendable {
    /// The conversion of properties' names to keys; nil if they are equal.
    public var keys: KeyNaming?
    /// The formats of certain types.
    public var scalars = ScalarFormats()

    /// No conventions: keys and formats of the types themselves.
    public init() {}

    /// Whether keys and formats are those of the types themselves.
    var isPlain: Bool { keys == nil && scalars.isEmpty }

    /// A decoder with these conventions, for a text outside of a call. They hold at any depth of `Codable` entries,
    /// also inside of a ``Discriminated`` or ``DecodableByHand`` one.
    public var decoder: JsonDecoder {
        var decoder = JsonDecoder()
        if let keys { decoder.keys = .naming(keys) }
        decoder.scalars = scalars
        return decoder
    }

    /// An encoder with these conventions, for a text outside of a call. They hold at any depth of `Codable` entries,
    /// also inside of a ``Discriminated`` or ``EncodableByHand`` one.
    public var encoder: JsonEncoder {
        var encoder = JsonEncoder()
        if let keys { encoder.keys = .naming(keys) }
        encoder.scalars = scalars
        return encoder
    }
}

extension CodingConventions: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
