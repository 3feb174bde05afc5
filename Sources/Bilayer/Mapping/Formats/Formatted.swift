/// A property of a `Codable` entry that the server spells in a format of its own.
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
/// It works with ``JsonDecoder`` and with Foundation's decoders and encoders. A value that does not fit is a
/// `DecodingError` that holds the ``MappingError``; mapping an entry throws the latter, with the path from the root.
/// Where several fields share a choice of formats, name it once: ``NamedFormat``.
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
    /// Reads the value at the decoder's place.
    /// - Parameter decoder: Where to read.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.mapping { try Format.read($0) }
    }
}

extension Formatted: Encodable {
    /// Writes the value as its format spells it.
    /// - Parameter encoder: Where to write.
    /// - Throws: ``MappingError`` with the path from the encoder's root, if the format cannot spell the value.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(wrappedValue, as: Format.format)
    }
}

extension KeyedDecodingContainer {
    /// Reads a property that may be missing or `null`; found by the code that the compiler makes for `Codable` types.
    public func decode<Format: NamedFormat>(
        _ type: Formatted<Format>.Type,
        forKey key: Key
    ) throws -> Formatted<Format> where Format.FormattedValue: ExpressibleByNilLiteral {
        try decodeIfPresent(type, forKey: key) ?? Formatted(wrappedValue: nil)
    }
}

extension KeyedEncodingContainer {
    /// Leaves a property out that is nil, as `Codable` does; found by the code that the compiler makes for `Codable`
    /// types.
    public mutating func encode<Format: NamedFormat>(
        _ value: Formatted<Format>,
        forKey key: Key
    ) throws where Format.FormattedValue: ExpressibleByNilLiteral {
        if let value = value.wrappedValue as? any OptionalValue, value.isNil { return }
        try encodeIfPresent(value, forKey: key)
    }
}

/// Says of an optional of any type whether it is nil.
private protocol OptionalValue {
    var isNil: Bool { get }
}

extension Optional: OptionalValue {
    fileprivate var isNil: Bool { self == nil }
}
