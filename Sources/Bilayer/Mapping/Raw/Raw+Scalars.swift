public import Foundation

// Scalars are read strictly: a string is never read as a number, nor a number as a Boolean value.

extension Bool: RawDecodable, RawEncodable {
    /// The raw type of a Boolean value.
    public typealias Raw = Json

    /// Reads `true` or `false`.
    /// - Throws: ``MappingError`` for another JSON type.
    public static func from(raw: Json) throws -> Bool { try raw.required(raw.bool) }

    /// Writes `true` or `false`.
    public func toRaw() -> Json { Json(self) }
}

extension String: RawDecodable, RawEncodable {
    /// The raw type of a string.
    public typealias Raw = Json

    /// Reads a string.
    /// - Throws: ``MappingError`` for another JSON type.
    public static func from(raw: Json) throws -> String { try raw.required(raw.string) }

    /// Writes a string.
    public func toRaw() -> Json { Json(self) }
}

extension Double: RawDecodable, RawEncodable {
    /// The raw type of a number.
    public typealias Raw = Json

    /// Reads a number, rounded to the nearest double.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that the type cannot hold.
    public static func from(raw: Json) throws -> Double { try raw.required(raw.double) }

    /// Writes the number with the fewest digits that read back as an equal double.
    /// - Returns: The number.
    /// - Throws: ``MappingError`` for infinities and NaN, which JSON does not have.
    public func toRaw() throws -> Json { try Json.required(Json(self), of: self) }
}

extension Float: RawDecodable, RawEncodable {
    /// The raw type of a number.
    public typealias Raw = Json

    /// Reads a number, rounded to the nearest float.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that the type cannot hold.
    public static func from(raw: Json) throws -> Float { try raw.required(raw.float) }

    /// Writes the number with the fewest digits that read back as an equal float.
    /// - Returns: The number.
    /// - Throws: ``MappingError`` for infinities and NaN, which JSON does not have.
    public func toRaw() throws -> Json { try Json.required(Json(self), of: self) }
}

extension Decimal: RawDecodable, RawEncodable {
    /// The raw type of a number.
    public typealias Raw = Json

    /// Reads a number from its digits.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that the type cannot hold.
    public static func from(raw: Json) throws -> Decimal { try raw.required(raw.decimal) }

    /// Writes the number with exactly its digits.
    /// - Returns: The number.
    /// - Throws: ``MappingError`` for NaN, which JSON does not have.
    public func toRaw() throws -> Json { try Json.required(Json(self), of: self) }
}
