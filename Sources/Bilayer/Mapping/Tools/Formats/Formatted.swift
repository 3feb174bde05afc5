/// A property of a `Codable` entry with a format.
///
/// ```swift
/// struct EventEntry: Codable, RawMappable {
///     @Formatted<RFC3339> var start: Date
///     @Formatted<RFC3339?> var end: Date?                       // missing and null are nil
///     @Formatted<[DateOnly]> var holidays: [Date]
///     @Formatted<Quoted<Decimal>> var price: Decimal            // "9.90"
/// }
/// ```
///
/// It works with ``JsonDecoder`` and ``JsonEncoder``, and with Foundation's decoders and encoders. Decoding an invalid
/// value throws a `DecodingError` with the ``MappingError`` as its underlying error. Mapping an entry throws the
/// ``MappingError`` itself, with the path from the root. For a format that is not built in, declare a ``NamedFormat``.
@propertyWrapper
public struct Formatted<Format: NamedFormat> {
    /// The value.
    public var wrappedValue: Format.FormattedValue

    /// Wraps a value.
    public init(wrappedValue: Format.FormattedValue) { self.wrappedValue = wrappedValue }
}

extension Formatted: Sendable where Format.FormattedValue: Sendable {}
extension Formatted: Equatable where Format.FormattedValue: Equatable {}
extension Formatted: Hashable where Format.FormattedValue: Hashable {}

extension Formatted: Decodable {
    /// Reads the value at the decoder's coding path.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if the value is not
    ///   of the format. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws {
        self = try decoder.mapping { try Self.known.format.read($0) }
    }
}

extension Formatted: Encodable {
    /// Writes the value in its format.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path from the encoder's root, if the format cannot represent the value. Also
    ///   throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(self, as: Self.known.format)
    }
}

extension Formatted: FormattedProperty {
    static var scalarFormat: AnyScalarFormat { known }

    /// The format of the property, made once for each type.
    private static var known: ScalarFormat<Formatted> {
        KnownFormats.shared.format(of: Formatted.self) {
            let format = Format.format
            var own = format.map({ Formatted(wrappedValue: $0) }, { $0.wrappedValue })
            if let read = format.quickRead {
                own.quickRead = { nodes, position, take in
                    read(nodes, position) { take(Formatted(wrappedValue: $0)) }
                }
            }
            return own
        }
    }
}

extension Formatted: PlaceholderMaking {
    static func placeholder(_ choice: PlaceholderValue.Choice) -> Formatted? {
        (PlaceholderValue.value(of: Format.FormattedValue.self, choice) as? Format.FormattedValue).map(Formatted.init)
    }
}

extension KeyedDecodingContainer {
    /// Reads a property that may be missing or `null`. Synthesized `Codable` code calls this.
    /// - Throws: The error of the format or of the decoder.
    public func decode<Format: NamedFormat>(
        _ type: Formatted<Format>.Type,
        forKey key: Key
    ) throws -> Formatted<Format> where Format.FormattedValue: ExpressibleByNilLiteral {
        try decodeIfPresent(type, forKey: key) ?? Formatted(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Writes a property; leaves it out if it is `nil`, as `Codable` does. Synthesized `Codable` code calls this.
    /// - Throws: The error of the value or of the encoder.
    public mutating func encode<Format: NamedFormat>(
        _ value: Formatted<Format>,
        forKey key: Key
    ) throws where Format.FormattedValue: ExpressibleByNilLiteral {
        if let value = value.wrappedValue as? any OptionalValue, value.isNil { return }
        try encodeIfPresent(value, forKey: key)
    }
}

/// An optional of any type, to find whether it is `nil`.
protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    var isNil: Bool { self == nil }
}
