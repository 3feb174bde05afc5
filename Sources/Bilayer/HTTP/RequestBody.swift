public import Foundation

/// The body of a request, with its media type: a ``RouteBody`` after it was written.
///
/// The content is an ``HTTPBody``, which has no media type.
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

extension RequestBody: Redacted {
    /// Size and media type: `18 B, application/json`.
    public var description: String {
        "\(content), \(MediaType(mediaType)?.essence ?? "no media type")"
    }
}
