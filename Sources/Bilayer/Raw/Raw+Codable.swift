extension RawDecodable where Self: Decodable, Raw == Json {
    /// Reads the value with the type's own `init(from:)`.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError``; a `DecodingError` becomes one, with the path and what was found there.
    public static func from(raw: Json) throws -> Self { try raw.decodeCodable() }
}

extension RawEncodable where Self: Encodable, Raw == Json {
    /// Writes the value with the type's own `encode(to:)`.
    /// - Returns: The JSON of this value.
    /// - Throws: `EncodingError` when the value cannot be written as JSON.
    public func toRaw() throws -> Json { try Json(entry: self) }
}
