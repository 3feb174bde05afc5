// Enums with raw values, and other types that stand for a string or a number, are read and written as that. A type that
// is `Codable` too is read and written the way its `Codable` conformance says, as it may have its own.

extension RawDecodable where Self: RawRepresentable, Raw == Json, RawValue: RawDecodable, RawValue.Raw == Json {
    /// Reads the raw value and makes this of it.
    /// - Parameter raw: The JSON of the raw value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if there is another type, or no value stands for what was read.
    @inlinable
    public static func from(raw: Json) throws -> Self {
        try represented(by: RawValue.from(raw: raw), in: raw)
    }

    @inlinable
    static func represented(by rawValue: RawValue, in raw: Json) throws -> Self {
        if let value = Self(rawValue: rawValue) { return value }
        throw raw.unknownValue(for: Self.self)
    }
}

extension RawDecodable
where Self: RawRepresentable & Decodable, Raw == Json, RawValue: RawDecodable, RawValue.Raw == Json {
    /// Reads the value with the type's own `init(from:)`.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError``; a `DecodingError` becomes one, with the path and what was found there.
    public static func from(raw: Json) throws -> Self { try raw.decodeCodable() }
}

extension RawEncodable where Self: RawRepresentable, Raw == Json, RawValue: RawEncodable, RawValue.Raw == Json {
    /// Writes the raw value.
    /// - Returns: The JSON of the raw value.
    /// - Throws: What the raw value throws.
    @inlinable
    public func toRaw() throws -> Json { try rawValue.toRaw() }
}

extension RawEncodable
where Self: RawRepresentable & Encodable, Raw == Json, RawValue: RawEncodable, RawValue.Raw == Json {
    /// Writes the value with the type's own `encode(to:)`.
    /// - Returns: The JSON of this value.
    /// - Throws: `EncodingError` when the value cannot be written as JSON.
    public func toRaw() throws -> Json { try Json(entry: self) }
}

extension Json {
    /// The error of a raw value that stands for nothing.
    @usableFromInline
    func unknownValue(for type: Any.Type) -> MappingError {
        MappingError(MappingIssue(.invalidValue, expected: "a value of \(typeName(type))", found: found))
    }
}
