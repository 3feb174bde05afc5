/// A type whose identifiers (``TypedIdentifier``) are numbers that a server may also send as strings.
///
/// ```swift
/// extension Order: AcceptsTextIdentifiers {}        // {"id": "7"} is read as 7, with a warning
/// ```
/// Only the decimal digits of a number that fits are accepted, without leading zeros or a plus sign. A negative number
/// has a minus sign. Each use is reported as ``MappingIssue/Kind/coerced``, and is an error under a policy that treats
/// warnings as errors. Identifiers are always written as numbers.
public protocol AcceptsTextIdentifiers {}

extension TypedIdentifier {
    /// Reads an identifier. If `Owner` conforms to ``AcceptsTextIdentifiers``, the JSON may have the number as a
    /// string.
    private static func read(
        at path: @autoclosure () -> JsonPath,
        _ value: () throws -> RawValue,
        text: () throws -> String
    ) throws -> TypedIdentifier {
        do {
            return TypedIdentifier(try value())
        } catch {
            guard Owner.self is any AcceptsTextIdentifiers.Type,
                let number = RawValue.self as? any FixedWidthInteger.Type,
                let text = try? text(), let rawValue = number.spelled(text) as? RawValue
            else { throw error }
            try MappingIssue(
                .coerced,
                severity: .warning,
                path: path(),
                expected: typeName(RawValue.self),
                found: MappingIssue.Found(type: "string", length: text.count)
            )
            .reportOrThrow()
            return TypedIdentifier(rawValue)
        }
    }
}

extension FixedWidthInteger {
    fileprivate static func spelled(_ text: String) -> Self? {
        Self(text).flatMap { String($0) == text ? $0 : nil }
    }
}

extension TypedIdentifier: Decodable where RawValue: Decodable {
    /// Reads the raw value, with the decoder's own function for its type.
    /// - Throws: The error of the raw value; ``MappingError`` for a number in a string that the policy refuses.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = try Self.read(
            at: JsonPath(decoder.codingPath),
            { try container.decode(RawValue.self) },
            text: { try container.decode(String.self) }
        )
    }
}

extension TypedIdentifier: Encodable where RawValue: Encodable {
    /// Writes the raw value.
    /// - Throws: The error of the raw value or of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension TypedIdentifier: RawDecodable where RawValue: RawDecodable, RawValue.Raw == Json {
    /// The raw value of an identifier.
    public typealias Raw = Json

    /// Reads the raw value.
    /// - Parameter raw: The JSON of the raw value.
    /// - Returns: The identifier.
    /// - Throws: The error of the raw value; ``MappingError`` for a number in a string that the policy refuses.
    public static func from(raw: Json) throws -> TypedIdentifier {
        try read(at: .root, { try RawValue.from(raw: raw) }, text: { try String.from(raw: raw) })
    }
}

extension TypedIdentifier: RawEncodable where RawValue: RawEncodable, RawValue.Raw == Json {
    /// Writes the raw value.
    /// - Throws: The error of the raw value.
    public func toRaw() throws -> Json { try rawValue.toRaw() }
}

extension TypedIdentifier: NamedFormat where RawValue: NamedFormat, RawValue.FormattedValue == RawValue {
    /// The format of the raw value, to compose with others: `@Formatted<Quoted<Order.ID>> var id: Order.ID`.
    public static var format: ValueFormat<TypedIdentifier> {
        RawValue.format.map({ TypedIdentifier($0) }, { $0.rawValue })
    }
}

extension TypedIdentifier: DTOConvertible {
    /// Makes an identifier from the raw value of an entry or a generated type.
    public static func from(dto: RawValue) -> TypedIdentifier { TypedIdentifier(dto) }

    /// The raw value.
    public func toDTO() -> RawValue { rawValue }
}
