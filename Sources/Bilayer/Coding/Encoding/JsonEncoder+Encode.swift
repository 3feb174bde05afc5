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
