import Foundation

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
