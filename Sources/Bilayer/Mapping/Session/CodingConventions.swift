/// The conventions of one server for `Codable` entries: the naming of keys, and the formats of certain types. A client
/// has one value of this type.
///
/// ```swift
/// var client = Client(baseURL: URL(fileURLWithPath: "/"))
/// client.conventions.keys = .snakeCase
/// client.conventions.scalars.register(Date.self, as: .rfc3339)
/// ```
///
/// Conventions apply to entries that are read and written by their `Codable` conformance. An entry that is read or
/// written by hand names its keys and formats itself, and is not affected. One endpoint may have other conventions
/// (``Route/with(conventions:)``).
///
/// Errors and reports of both layers have the JSON's keys in their paths. If the name of the property at the end of the
/// path differs from its key, they also contain the name.
public struct CodingConventions: Sendable {
    /// The conversion of property names to JSON keys; `nil` if the types' own keys apply.
    public var keys: KeyNaming?
    /// The formats of certain types.
    public var scalars = ScalarFormats()

    /// Makes conventions without a naming and without formats: the types' own keys and formats apply.
    public init() {}

    /// Whether there is no naming and no format, so that the types' own keys and formats apply.
    var isPlain: Bool { keys == nil && scalars.isEmpty }

    /// A decoder with these conventions, for a text outside of a call. The conventions apply at any depth of `Codable`
    /// entries, also inside a ``Discriminated`` or ``DecodableByHand`` entry.
    public var decoder: JsonDecoder {
        var decoder = JsonDecoder()
        if let keys { decoder.keys = .naming(keys) }
        decoder.scalars = scalars
        return decoder
    }

    /// An encoder with these conventions, for a text outside of a call. The conventions apply at any depth of `Codable`
    /// entries, also inside a ``Discriminated`` or ``EncodableByHand`` entry.
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
