public import Foundation

extension JsonEncoder {
    /// Writes a value as a JSON text in UTF-8.
    /// - Parameter value: What to write.
    /// - Returns: The text.
    /// - Throws: An `EncodingError` with the path of what could not be written, or what a type's own `encode(to:)`
    ///   throws.
    public func encode(_ value: some Encodable) throws -> Data {
        let compact = try EncodingSession.encode(value, self)
        return format == .compact ? compact : Json(.written(WrittenJson(compact))).serialized(format)
    }

    /// Writes a value as a JSON value, which holds the written text and indexes it only when a part of it is read.
    /// - Parameter value: What to write.
    /// - Returns: The JSON value. Its compact text is at hand without work.
    /// - Throws: As ``encode(_:)``.
    public func encodeJson(_ value: some Encodable) throws -> Json {
        Json(.written(WrittenJson(try EncodingSession.encode(value, self))))
    }
}

extension Json {
    /// Makes the JSON value of an `Encodable` value. It holds the written text, so that sending it needs no second
    /// step, and indexes it only when a part of it is read.
    ///
    /// ```swift
    /// struct Tag: Encodable { let name: String }
    ///
    /// let json = try Json(encoding: [Tag(name: "new")])
    /// print(json)     // [{"name":"new"}]
    /// ```
    /// - Parameters:
    ///   - value: What to write.
    ///   - encoder: How dates, keys and data are spelled.
    /// - Throws: An `EncodingError` with the path of what could not be written, or what a type's own `encode(to:)`
    ///   throws.
    public init(encoding value: some Encodable, using encoder: JsonEncoder = JsonEncoder()) throws {
        self = try encoder.encodeJson(value)
    }
}

extension Json: Encodable {
    /// Writes the value as it is.
    ///
    /// Into a ``JsonEncoder`` it goes as text, every token as it was received. Into another encoder, Foundation's for
    /// example, it goes value by value. The spelling of numbers and the order of members are that encoder's, all else
    /// is kept or an error: a number that is not exactly an `Int64`, `UInt64` or `Double` (or, for Foundation's JSON
    /// encoder, a `Decimal`), two members with keys that are equal as `String`s, more than 512 levels. Foundation's
    /// property lists have `null` as the string `$null`, so that string is an error.
    /// - Parameter encoder: Where to write.
    /// - Throws: `EncodingError.invalidValue` with the path and the reason for what the encoder would change; what the
    ///   encoder throws.
    public func encode(to encoder: any Encoder) throws {
        if encoder is ValueEncoder {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        } else {
            try encode(to: encoder, of: OtherCoder(type(of: encoder)))
        }
    }
}
