public import Foundation

// Scalars are read strictly: a number is never made of a string, nor a truth value of a number.

extension Bool: RawDecodable, RawEncodable {
    /// What a truth value is read from.
    public typealias Raw = Json

    /// Reads `true` or `false`.
    public static func from(raw: Json) throws -> Bool { try raw.required(raw.bool) }

    /// Writes `true` or `false`.
    public func toRaw() -> Json { Json(self) }
}

extension String: RawDecodable, RawEncodable {
    /// What a string is read from.
    public typealias Raw = Json

    /// Reads a string.
    public static func from(raw: Json) throws -> String { try raw.required(raw.string) }

    /// Writes a string.
    public func toRaw() -> Json { Json(self) }
}

extension Double: RawDecodable, RawEncodable {
    /// What a number is read from.
    public typealias Raw = Json

    /// Reads a number, rounded to the nearest double.
    public static func from(raw: Json) throws -> Double { try raw.required(raw.double) }

    /// Writes the number with the fewest digits that read back as the same double.
    /// - Returns: The number.
    /// - Throws: ``MappingError`` for infinities and NaN, which JSON does not have.
    public func toRaw() throws -> Json { try Json.required(Json(self), of: self) }
}

extension Float: RawDecodable, RawEncodable {
    /// What a number is read from.
    public typealias Raw = Json

    /// Reads a number, rounded to the nearest float.
    public static func from(raw: Json) throws -> Float { try raw.required(raw.float) }

    /// Writes the number with the fewest digits that read back as the same float.
    /// - Returns: The number.
    /// - Throws: ``MappingError`` for infinities and NaN, which JSON does not have.
    public func toRaw() throws -> Json { try Json.required(Json(self), of: self) }
}

extension Decimal: RawDecodable, RawEncodable {
    /// What a number is read from.
    public typealias Raw = Json

    /// Reads a number from its digits.
    public static func from(raw: Json) throws -> Decimal { try raw.required(raw.decimal) }

    /// Writes the number with exactly its digits.
    /// - Returns: The number.
    /// - Throws: ``MappingError`` for NaN, which JSON does not have.
    public func toRaw() throws -> Json { try Json.required(Json(self), of: self) }
}
