public import Foundation

/// The body of a message: bytes in memory, a file, or a stream with or without a known length.
///
/// An `HTTPBody` has no media type. ``RequestBody`` adds the media type, and ``RawBody`` is the value that bytes are
/// parsed to.
///
/// ```swift
/// let film = URL(fileURLWithPath: "film.mp4")
/// var request = HTTPRequest(method: .put, url: url, headers: [.contentType: "video/mp4"], body: .file(at: film))
/// request.body = .data(Data("[]".utf8))
/// for try await chunk in HTTPBody.file(at: film) { print(chunk.count) }
/// ```
///
/// An iteration reads a file or a stream in chunks, so the whole body is not in memory. Middlewares read three
/// properties of a body. ``isReplayable`` is true if the body can be sent a second time. ``length`` is the number of
/// bytes. ``data`` has the bytes if they are in memory.
public struct HTTPBody: Sendable {
    enum Content: Sendable {
        case data(Data)
        case file(URL)
        case stream(BodyStream)
    }

    let content: Content

    /// Returns a body of bytes in memory.
    public static func data(_ bytes: Data) -> HTTPBody { HTTPBody(content: .data(bytes)) }

    /// Returns a body with the content of a file, which is read when the body is sent. The file must not change
    /// meanwhile.
    ///
    /// Only a regular file is sent, or a symbolic link to one. For a pipe, a device, a socket or a folder, sending
    /// fails with a ``TransportError`` of the kind ``TransportError/Kind-swift.struct/bodyUnavailable``.
    /// - Parameter url: The URL of the file.
    /// - Returns: The body.
    public static func file(at url: URL) -> HTTPBody { HTTPBody(content: .file(url)) }

    /// Returns a body from a stream of chunks. The stream is opened when the body is sent.
    ///
    /// ```swift
    /// let rows = AsyncStream<Data> { rows in
    ///     rows.yield(Data("1;Ada\n".utf8))
    ///     rows.finish()
    /// }
    /// let body = HTTPBody.stream { rows }
    /// ```
    /// - Parameters:
    ///   - length: The number of all bytes; `nil` if it is unknown. A stream with more or fewer bytes is an error.
    ///   - isReplayable: Whether each call of `open` starts from the beginning. If false, the body can be sent only
    ///     once. So the request is not retried, and ``CurlTransport`` does not send it again for a redirect that
    ///     preserves the body.
    ///   - open: Opens the stream.
    /// - Returns: The body.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        length: Int? = nil,
        isReplayable: Bool = false,
        _ open: @escaping @Sendable () -> Chunks
    ) -> HTTPBody where Chunks.Element == Data {
        HTTPBody(content: .stream(BodyStream(length: length, isReplayable: isReplayable, open)))
    }

    /// The number of bytes; `nil` if it is unknown, or if the file is missing or not a regular file.
    public var length: Int? {
        switch content {
        case .data(let bytes): bytes.count
        case .file(let url): RegularFile.size(of: url)
        case .stream(let stream): stream.length
        }
    }

    /// Whether the body can be read more than once.
    public var isReplayable: Bool {
        if case .stream(let stream) = content { stream.isReplayable } else { true }
    }

    /// The bytes; `nil` if they are not in memory.
    public var data: Data? {
        if case .data(let bytes) = content { bytes } else { nil }
    }

    /// The URL of the file; `nil` if the body is not a file.
    public var file: URL? {
        if case .file(let url) = content { url } else { nil }
    }

    /// Whether the body has no bytes; false also means unknown.
    public var isEmpty: Bool { length == 0 }
}

extension HTTPBody: Hashable {
    /// Whether two bodies have equal bytes in memory, the same file URL, or the same stream.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left.content, right.content) {
        case (.data(let left), .data(let right)): left == right
        case (.file(let left), .file(let right)): left == right
        case (.stream(let left), .stream(let right)): left === right
        default: false
        }
    }

    /// Hashes the bytes, the URL of the file, or the identity of the stream.
    public func hash(into hasher: inout Hasher) {
        switch content {
        case .data(let bytes): hasher.combine(bytes)
        case .file(let url): hasher.combine(url)
        case .stream(let stream): hasher.combine(ObjectIdentifier(stream))
        }
    }
}

extension HTTPBody: Redacted {
    /// The size and the kind of the body: `18 B`, `file of 2.0 GB`, `stream`.
    public var description: String {
        let size = length.map(byteCountText)
        return switch content {
        case .data: size ?? ""
        case .file: size.map { "file of \($0)" } ?? "file"
        case .stream: size.map { "stream of \($0)" } ?? "stream"
        }
    }
}
