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
/// (``OneOrMany``). A type with a raw value is read and written in its format, too, and not as its raw value. A client
/// can have another format for the type: ``ScalarFormats``.
public protocol CustomScalar: NamedFormat, DecodableByHand, EncodableByHand where FormattedValue == Self {}

extension CustomScalar {
    /// Reads the value in its format.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the JSON is not of this format. Also throws what the format's closure for reading
    ///   throws.
    public static func from(raw: Json) throws -> Self { try format.read(raw) }

    /// Writes the value in its format.
    /// - Returns: The JSON of this value.
    /// - Throws: ``MappingError`` if the format cannot represent the value. Also throws what the format's closure for
    ///   writing throws.
    public func toRaw() throws -> Json { try Self.format.write(self) }

    /// Unavailable: a type that conforms must declare its format.
    @available(*, unavailable, message: "declare the format of the type: 'static let format'")
    public static var format: ValueFormat<Self> { .plain }
}
