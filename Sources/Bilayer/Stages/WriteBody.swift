public import Foundation

/// A request's body, ready for the wire.
public struct RequestBody: Sendable, Hashable {
    /// The bytes.
    public var data: Data
    /// The media type, for `Content-Type`.
    public var mediaType: String

    /// Makes a body of bytes.
    public init(_ data: Data, mediaType: String) {
        self.data = data
        self.mediaType = mediaType
    }
}

/// Writes a raw value as the body of a request: the third step on the way to the server.
public struct WriteBody<Raw: RawBody>: Node, CustomStringConvertible {
    /// Makes the stage.
    public init() {}

    /// Writes the body, away from the caller's actor.
    /// - Returns: The body.
    /// - Throws: The format's own error.
    @concurrent
    public func process(_ raw: Raw, in context: CallContext) async throws -> RequestBody? {
        try context.mapping { RequestBody(try raw.serialized(), mediaType: Raw.mediaType) }
    }

    /// The stage's name.
    public var description: String { "Write\(typeName(Raw.self))" }
}
