public import Foundation

/// A raw type that can be the whole body of a message: the value between the bytes and an entry.
///
/// A raw body is a parsed value. The bytes that it is parsed from or written to are an ``HTTPBody``.
///
/// ``Json`` and `Data` are raw bodies. For another format, conform a type to this protocol. Its entries then declare
/// `typealias Raw = PropertyList`, and their routes work like all other routes.
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
    /// The media type of such a body, for `Accept` and `Content-Type`.
    static var mediaType: String { get }
    /// Whether such a body is text. Text in another encoding than UTF-8 is then converted before ``parse(_:)``, or is
    /// an error (``CharsetPolicy``). Whether the UTF-8 is valid is not checked. `false` by default.
    static var isText: Bool { get }

    /// Reads a body.
    /// - Parameter body: The received bytes; empty for a response without a body.
    /// - Returns: The raw value.
    /// - Throws: An error of the format if the bytes are not of this format.
    static func parse(_ body: Data) throws -> Self

    /// Writes a body.
    /// - Returns: The bytes to send.
    /// - Throws: An error of the format if the value cannot be written.
    func serialized() throws -> Data
}

extension RawBody {
    /// `false`: the bytes are parsed as they were received.
    public static var isText: Bool { false }
}

extension Json: RawBody {
    /// `true`: JSON in another encoding than UTF-8 is converted first, or is an error (``CharsetPolicy``).
    public static var isText: Bool { true }
    /// `application/json`, RFC 8259 §11.
    public static var mediaType: String { "application/json" }

    /// Reads a JSON text.
    /// - Parameter body: The bytes in UTF-8.
    /// - Returns: The value.
    /// - Throws: ``JsonSyntaxError`` with byte offset, line and column.
    public static func parse(_ body: Data) throws -> Json {
        Json(document: try JsonDocument.parse(body, options: IndexOptions()))
    }
}

extension Data: RawBody {
    /// `application/octet-stream`.
    public static var mediaType: String { "application/octet-stream" }

    /// The bytes, unchanged.
    public static func parse(_ body: Data) -> Data { body }

    /// The bytes, unchanged.
    public func serialized() -> Data { self }
}
