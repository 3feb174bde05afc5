public import Foundation

extension HTTPBody: AsyncSequence {
    /// A chunk of at least one byte.
    public typealias Element = Data

    /// Returns an iterator that reads the body from its start.
    ///
    /// A file is read in chunks of 64 KiB. A stream has the chunks of its source, without empty chunks.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Reads a body in chunks, and checks that it has as many bytes as announced.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let expected: Int?
        private var found = 0
        private var chunks: any AsyncIteratorProtocol

        fileprivate init(_ body: HTTPBody) {
            expected = body.length
            switch body.content {
            case .data(let bytes): chunks = DataChunks(rest: bytes)
            case .file(let url): chunks = FileChunks(url: url)
            case .stream(let stream): chunks = stream.begin()
            }
        }

        /// Returns the next chunk; `nil` at the end of the body.
        /// - Throws: The errors of the stream. A ``TransportError`` of the kind
        ///   ``TransportError/Kind-swift.struct/bodyUnavailable`` if the file cannot be read or is not a regular file,
        ///   if a one-time stream is read again, or if there are more or fewer bytes than announced.
        @concurrent
        public mutating func next() async throws -> Data? {
            while let chunk = try await chunks.next() as? Data {
                if chunk.isEmpty { continue }
                found += chunk.count
                if let expected, found > expected { throw wrongLength(expected) }
                return chunk
            }
            if let expected, found < expected { throw wrongLength(expected) }
            return nil
        }

        private func wrongLength(_ expected: Int) -> TransportError {
            let count = found > expected ? "more" : "\(found)"
            return TransportError(.bodyUnavailable, detail: "found \(count) bytes, expected \(expected) as announced")
        }
    }

    /// Returns all bytes of the body.
    /// - Parameter maximumBytes: The maximum number of bytes.
    /// - Returns: The bytes.
    /// - Throws: The errors of the iteration. ``TransportError`` of the kind
    ///   ``TransportError/Kind-swift.struct/responseTooLarge`` if there are more bytes than the maximum.
    public func collected(maximumBytes: Int = 64 * 1024 * 1024) async throws -> Data {
        if let data, data.count <= maximumBytes { return data }
        var bytes = Data()
        for try await chunk in self {
            guard chunk.count <= maximumBytes - bytes.count else {
                throw TransportError(.responseTooLarge, detail: "found more, expected at most \(maximumBytes) bytes")
            }
            bytes.append(chunk)
        }
        return bytes
    }
}

private struct DataChunks: AsyncIteratorProtocol {
    var rest: Data?

    mutating func next() async -> Data? {
        defer { rest = nil }
        return rest
    }
}

private struct FileChunks: AsyncIteratorProtocol {
    private static let size = 64 * 1024

    let url: URL
    private var file: FileHandle?

    init(url: URL) { self.url = url }

    mutating func next() async throws -> Data? {
        do {
            let open = try file ?? RegularFile.open(url)
            file = open
            return try open.read(upToCount: Self.size)
        } catch let error as RegularFile.OtherKindError {
            throw TransportError(.bodyUnavailable, detail: error.description)
        } catch {
            throw TransportError(
                .bodyUnavailable,
                detail: "found a file that cannot be read, expected a readable one",
                underlyingError: error
            )
        }
    }
}

/// A body whose chunks are made while it is read.
final class BodyStream: Sendable {
    let length: Int?
    let isReplayable: Bool
    private let isOpened = Locked(false)
    private let open: @Sendable () -> any AsyncIteratorProtocol

    init<Chunks: AsyncSequence & Sendable>(
        length: Int?,
        isReplayable: Bool,
        _ open: @escaping @Sendable () -> Chunks
    ) where Chunks.Element == Data {
        self.length = length
        self.isReplayable = isReplayable
        self.open = { open().makeAsyncIterator() }
    }

    /// Opens the stream. If it was already opened and is not replayable, reading the result throws an error.
    func begin() -> any AsyncIteratorProtocol {
        let isAllowed = isOpened.withLock { isOpened in
            defer { isOpened = true }
            return isReplayable || !isOpened
        }
        return isAllowed ? open() : SecondRead()
    }

    private struct SecondRead: AsyncIteratorProtocol {
        mutating func next() async throws -> Data? {
            throw TransportError(
                .bodyUnavailable,
                detail: "found a second read, expected one: the body can be read once"
            )
        }
    }
}

extension HTTPBody.AsyncIterator: Redacted {}
