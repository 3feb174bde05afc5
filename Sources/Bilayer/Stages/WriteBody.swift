public import Foundation

/// The body of a request, with its media type.
public struct RequestBody: Sendable, Hashable {
    /// The bytes, the file or the stream.
    public var content: HTTPBody
    /// The media type, for `Content-Type`.
    public var mediaType: String

    /// Makes a body of bytes.
    public init(_ data: Data, mediaType: String) {
        self.init(.data(data), mediaType: mediaType)
    }

    /// Makes a body.
    public init(_ content: HTTPBody, mediaType: String) {
        self.content = content
        self.mediaType = mediaType
    }
}

/// Writes a raw value as the body of a request: the third step of the request encoding.
public struct WriteBody<Raw: RawBody>: Node, CustomStringConvertible {
    /// Makes the node.
    public init() {}

    /// Writes the body on the concurrent pool.
    /// - Returns: The body.
    /// - Throws: An error of the format.
    @concurrent
    public func process(_ raw: Raw, in context: CallContext) async throws -> RequestBody? {
        try context.mapping { RequestBody(try raw.serialized(), mediaType: Raw.mediaType) }
    }

    /// The stage's name.
    public var description: String { "Write\(typeName(Raw.self))" }
}

extension RequestBody: Redacted {
    /// Size and media type: `18 B, application/json`.
    public var description: String {
        "\(content), \(MediaType(mediaType)?.essence ?? "no media type")"
    }
}
