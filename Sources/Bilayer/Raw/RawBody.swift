public import Foundation

/// A raw type that can be the whole body of a message: what lies between the bytes and an entry.
///
/// ``Json`` and `Data` are raw bodies. Conform a type of your own for another format; its entries then say
/// `typealias Raw = PropertyList`, and routes to them work like any other.
///
/// ```swift
/// struct PropertyList: RawBody {
///     let root: [String: String]
///     static var mediaType: String { "application/x-plist" }
///
///     static func parse(_ body: Data) throws -> PropertyList {
///         PropertyList(root: try PropertyListDecoder().decode([String: String].self, from: body))
///     }
///     func serialized() throws -> Data { try PropertyListEncoder().encode(root) }
/// }
/// ```
public protocol RawBody: Sendable {
    /// The media type of such a body: what a request asks for in `Accept` and announces in `Content-Type`.
    static var mediaType: String { get }

    /// Reads a body.
    /// - Parameter body: The bytes as they came; empty for an answer without a body.
    /// - Returns: The raw value.
    /// - Throws: The format's own error when the bytes are not of this format.
    static func parse(_ body: Data) throws -> Self

    /// Writes a body.
    /// - Returns: The bytes to send.
    /// - Throws: The format's own error when the value cannot be written.
    func serialized() throws -> Data
}

extension Json: RawBody {
    /// `application/json`, RFC 8259 §11.
    public static var mediaType: String { "application/json" }

    /// Reads a JSON text.
    /// - Parameter body: The bytes, UTF-8.
    /// - Returns: The value.
    /// - Throws: ``JsonSyntaxError`` with byte offset, line and column.
    public static func parse(_ body: Data) throws -> Json {
        try Json(parsing: body)
    }
}

extension Data: RawBody {
    /// `application/octet-stream`.
    public static var mediaType: String { "application/octet-stream" }

    /// The bytes as they are.
    public static func parse(_ body: Data) -> Data { body }

    /// The bytes as they are.
    public func serialized() -> Data { self }
}
