import Foundation

extension Json {
    /// Makes a value of a `Decodable` type from this JSON value.
    ///
    /// ```swift
    /// struct Tag: Decodable { let name: String }
    ///
    /// let json = try Json(parsing: #"{"tags": [{"name": "new"}]}"#)
    /// let tags: [Tag] = try json["tags"]?.decode() ?? []
    /// ```
    /// - Parameters:
    ///   - type: What to make; inferred where the context says it.
    ///   - decoder: How dates, keys and data are spelled.
    /// - Returns: The value.
    /// - Throws: A `DecodingError` with the path, from this value on, of what did not fit, or what a type's own
    ///   `init(from:)` throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self,
        using decoder: JsonDecoder = JsonDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: self)
    }
}
