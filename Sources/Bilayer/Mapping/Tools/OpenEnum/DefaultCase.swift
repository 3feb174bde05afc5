/// An enum with a default case: an unknown raw value becomes that case, and is reported.
///
/// Under a policy that treats warnings as errors, an unknown raw value is an error. Choose a default case if the app
/// does not need the raw value of an unknown case. To keep the raw value, choose ``Open``.
///
/// ```swift
/// enum Availability: String, DefaultCase, Codable, RawMappable, DTODecodable {
///     case inStock = "IN_STOCK", soldOut = "SOLD_OUT", other
///     static let defaultCase = Availability.other
/// }
///
/// let availability = try Availability.from(dto: "GONE", at: "availability")
/// // warning  $.availability  unknown value: …; taken as a default
/// ```
/// With a raw type of the standard library, such as `String` or `Int`, an enum can conform to `Codable` without code.
/// With another raw type, the enum needs an `encode(to:)` that writes the raw value. For a missing value see
/// ``Swift/Optional/default(_:_:key:fileID:line:function:)``.
public protocol DefaultCase: RawRepresentable, SendableMetatype {
    /// The case for unknown values.
    static var defaultCase: Self { get }
}

extension DefaultCase {
    /// Makes the case of a raw value. An unknown raw value is reported and becomes the default case.
    /// - Throws: ``MappingError`` for an unknown raw value under a policy that treats warnings as errors.
    init(reading rawValue: RawValue, at path: @autoclosure () -> JsonPath) throws {
        if let value = Self(rawValue: rawValue) {
            self = value
        } else {
            try MappingIssue.reportUnknownCase(rawValue, of: Self.self, at: path(), outcome: "taken as a default")
            self = Self.defaultCase
        }
    }
}

extension DefaultCase where Self: Decodable, RawValue: Decodable {
    /// Reads the raw value.
    /// - Throws: The error of the raw value, and ``MappingError`` for an unknown value under a policy that treats
    ///   warnings as errors.
    public init(from decoder: any Decoder) throws {
        let rawValue = try decoder.singleValueContainer().decode(RawValue.self)
        try self.init(reading: rawValue, at: JsonPath(decoder.codingPath))
    }
}

// The most frequent raw types. A decoder has functions for them, which are faster than its generic function.

extension DefaultCase where Self: Decodable, RawValue == String {
    /// Reads the raw value.
    /// - Throws: The error of the raw value, and ``MappingError`` for an unknown value under a policy that treats
    ///   warnings as errors.
    public init(from decoder: any Decoder) throws {
        let rawValue = try decoder.singleValueContainer().decode(RawValue.self)
        try self.init(reading: rawValue, at: JsonPath(decoder.codingPath))
    }
}

extension DefaultCase where Self: Decodable, RawValue == Int {
    /// Reads the raw value.
    /// - Throws: The error of the raw value, and ``MappingError`` for an unknown value under a policy that treats
    ///   warnings as errors.
    public init(from decoder: any Decoder) throws {
        let rawValue = try decoder.singleValueContainer().decode(RawValue.self)
        try self.init(reading: rawValue, at: JsonPath(decoder.codingPath))
    }
}

extension RawDecodable where Self: DefaultCase, Raw == Json, RawValue: RawDecodable, RawValue.Raw == Json {
    /// Reads the raw value.
    /// - Parameter raw: The JSON of the raw value.
    /// - Returns: The case, or the default case.
    /// - Throws: The error of the raw value, and ``MappingError`` for an unknown value under a policy that treats
    ///   warnings as errors.
    public static func from(raw: Json) throws -> Self {
        try Self(reading: RawValue.from(raw: raw), at: .root)
    }
}

extension RawDecodable
where Self: DefaultCase & Decodable, Raw == Json, RawValue: RawDecodable, RawValue.Raw == Json {
    /// Reads the value with the type's own `init(from:)`.
    /// - Parameter raw: The JSON of the value.
    /// - Returns: The case, or the default case.
    /// - Throws: ``MappingError``, also in place of a `DecodingError`. Any other error of the `init(from:)` is thrown
    ///   unchanged, unless the policy collects errors and finds several.
    public static func from(raw: Json) throws -> Self { try raw.decodeCodable() }
}

extension DTODecodable where Self: DefaultCase, DTO == RawValue {
    /// Makes the value from the raw value of a generated type.
    /// - Parameter dto: The raw value.
    /// - Returns: The case, or the default case.
    /// - Throws: ``MappingError`` for an unknown value under a policy that treats warnings as errors.
    public static func from(dto: RawValue) throws -> Self { try Self(reading: dto, at: .root) }
}
