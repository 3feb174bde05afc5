import Foundation

extension Json {
    /// Makes the JSON value of an `Encodable` value. It holds the written text, so that sending it needs no second step, and
    /// indexes it only when somebody looks inside.
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
    /// - Throws: An `EncodingError` with the path of what could not be written, or what a type's own `encode(to:)` throws.
    public init(encoding value: some Encodable, using encoder: JsonEncoder = JsonEncoder()) throws {
        self = try encoder.encodeJson(value)
    }
}

extension Json: Encodable {
    /// Writes the value as it is.
    ///
    /// Into a ``JsonEncoder`` it goes as text, every token as it was received. Another encoder, Foundation's for example, is told
    /// value by value.
    /// - Parameter encoder: Where to write.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        switch kind {
        case .object:
            var container = encoder.container(keyedBy: PathKey.self)
            for (key, value) in members { try container.encode(value, forKey: PathKey(key)) }
        case .array:
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(to: &container)
        }
    }

    private func encodeScalar(to container: inout any SingleValueEncodingContainer) throws {
        if let string {
            try container.encode(string)
        } else if let bool {
            try container.encode(bool)
        } else if let int64 {
            try container.encode(int64)
        } else if let uint64 {
            try container.encode(uint64)
        } else if let decimal {
            try container.encode(decimal)
        } else if let double {
            try container.encode(double)
        } else {
            try container.encodeNil()
        }
    }
}
