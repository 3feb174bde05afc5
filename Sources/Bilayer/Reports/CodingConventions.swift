/// What one server does everywhere, for `Codable` entries: how it names keys, and how it spells certain types. A client
/// has one.
///
/// ```swift
/// var client = Client(baseURL: URL(fileURLWithPath: "/"))
/// client.conventions.keys = .snakeCase
/// client.conventions.scalars.register(Date.self, as: .rfc3339)
/// ```
///
/// It holds for entries that are read and written by their `Codable` conformance. Entries that read themselves by hand
/// name the keys and formats they read, and so are not touched. One endpoint may have a spelling of its own
/// (``Route/with(conventions:)``).
///
/// Errors and reports of both layers have the JSON's keys in their paths, with the property's name beside them.
public struct CodingConventions: Sendable {
    /// How properties' names become keys; nil if they are the same.
    public var keys: KeyNaming?
    /// How values of certain types are spelled.
    public var scalars = ScalarFormats()

    /// Everything as the types themselves have it.
    public init() {}

    /// Whether nothing differs from what the types themselves have.
    var isPlain: Bool { keys == nil && scalars.isEmpty }

    /// A decoder that follows it.
    public var decoder: JsonDecoder {
        var decoder = JsonDecoder()
        if let keys { decoder.keys = .naming(keys) }
        decoder.scalars = scalars
        return decoder
    }

    /// An encoder that follows it.
    public var encoder: JsonEncoder {
        var encoder = JsonEncoder()
        if let keys { encoder.keys = .naming(keys) }
        encoder.scalars = scalars
        return encoder
    }
}
