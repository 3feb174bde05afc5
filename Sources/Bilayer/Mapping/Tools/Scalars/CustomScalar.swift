/// A type for one JSON value that declares its format once, for reading and writing.
///
/// ```swift
/// /// GraphQL's 64-bit integer, which some servers put in quotes.
/// struct Long: CustomScalar, Hashable {
///     var value: Int64
///     static let format = ValueFormat<Int64>.anyOf(.plain, .quoted).map(Long.init) { $0.value }
/// }
/// struct AccountEntry: Codable, RawMappable { let id: Long }
/// ```
///
/// It is `Codable` with any coder, ``RawMappable`` for reading by hand, and a ``NamedFormat`` to compose with others
/// (``OneOrMany``). A client can have another format for the type: ``ScalarFormats``.
public protocol CustomScalar: NamedFormat, Codable, RawMappable where FormattedValue == Self, Raw == Json {}

extension CustomScalar {
    /// Reads the value in its format.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the JSON is not of this format.
    public static func from(raw: Json) throws -> Self { try format.read(raw) }

    /// Writes the value in its format.
    /// - Returns: The JSON of this value.
    /// - Throws: ``MappingError`` if the format cannot represent the value.
    public func toRaw() throws -> Json { try Self.format.write(self) }

    /// Reads the value in its format, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws {
        self = try decoder.mapping { try Self.format.read($0) }
    }

    /// Writes the value in its format, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path from the encoder's root, if the format cannot represent the value.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write(self, as: Self.format)
    }
}
