// Enums with raw values, and other types that wrap a string or a number, are read and written as their raw value. A
// type that is also `Codable` uses its `Codable` conformance, which may be written by hand.

extension RawDecodable where Self: RawRepresentable, Raw == Json, RawValue: RawDecodable, RawValue.Raw == Json {
    /// Reads the raw value and makes a value from it.
    /// - Parameter raw: The JSON of the raw value.
    /// - Returns: The value.
    /// - Throws: The error of the raw value; ``MappingError`` if no value has this raw value.
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
    /// - Throws: ``MappingError``, also in place of a `DecodingError`, with the path and the JSON type that was found.
    ///   Any other error of the `init(from:)` is thrown unchanged, unless the policy collects errors and finds several.
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
    /// - Throws: `EncodingError` if the value cannot be written as JSON, or what the type's own `encode(to:)` throws.
    ///   In a mapping with a naming, throws ``MappingError`` instead.
    public func toRaw() throws -> Json { try Json(entry: self) }
}

extension Json {
    /// Makes the error for a raw value for which the type has no value.
    @usableFromInline
    func unknownValue(for type: Any.Type) -> MappingError {
        MappingError(MappingIssue(.invalidValue, expected: "a value of \(typeName(type))", found: found), in: self)
    }
}
