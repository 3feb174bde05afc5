// `7.0` and `70e-1` are integers; `7.5` is not. A number that does not fit the type is an error, and never truncated.

extension Int: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> Int { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension Int8: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> Int8 { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension Int16: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> Int16 { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension Int32: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> Int32 { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension Int64: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> Int64 { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension UInt: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> UInt { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension UInt8: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> UInt8 { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension UInt16: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> UInt16 { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension UInt32: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> UInt32 { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}

extension UInt64: RawDecodable, RawEncodable {
    /// The raw type of an integer.
    public typealias Raw = Json

    /// Reads a number with an integer value that fits this type.
    /// - Throws: ``MappingError`` for another JSON type, and for a number that does not fit.
    public static func from(raw: Json) throws -> UInt64 { try raw.requiredInteger() }

    /// Writes an integer.
    public func toRaw() -> Json { Json(self) }
}
