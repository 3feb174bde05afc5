import Foundation

/// The bytes of a multipart body, piece by piece. The content of parts is searched for the delimiter while it is read.
struct MultipartChunks: AsyncSequence, Sendable {
    typealias Element = Data

    enum Piece: Sendable {
        /// Delimiters and headers.
        case text(Data)
        /// The content of a part.
        case content(HTTPBody)
    }

    let pieces: [Piece]
    let delimiter: Data

    /// The body: bytes if all parts are in memory, else a stream.
    var body: HTTPBody {
        let bodies = pieces.map { piece in
            switch piece {
            case .text(let bytes): HTTPBody.data(bytes)
            case .content(let body): body
            }
        }
        let inMemory = bodies.compactMap(\.data)
        if inMemory.count == bodies.count { return .data(inMemory.reduce(into: Data()) { $0 += $1 }) }
        let lengths = bodies.compactMap(\.length)
        return .stream(
            length: lengths.count == bodies.count ? lengths.reduce(0, +) : nil,
            isReplayable: bodies.allSatisfy(\.isReplayable)
        ) { self }
    }

    func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces[...], delimiter: delimiter) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: ArraySlice<Piece>
        fileprivate let delimiter: Data
        private var content: HTTPBody.AsyncIterator?
        /// The last bytes of the content that was read: one byte less than a delimiter, or all bytes if there are
        /// fewer. A delimiter may begin in them.
        private var tail = Data()

        fileprivate init(pieces: ArraySlice<Piece>, delimiter: Data) {
            self.pieces = pieces
            self.delimiter = delimiter
        }

        @concurrent
        mutating func next() async throws -> Data? {
            while true {
                if let chunk = try await content?.next() {
                    try search(chunk)
                    return chunk
                }
                content = nil
                switch pieces.popFirst() {
                case nil: return nil
                case .text(let bytes): return bytes
                case .content(let body):
                    tail = Data()
                    content = body.makeAsyncIterator()
                }
            }
        }

        /// Searches a chunk for the delimiter.
        /// - Throws: ``MultipartError`` if a delimiter ends in the chunk. The chunk is then not sent.
        private mutating func search(_ chunk: Data) throws {
            let overlap = delimiter.count - 1
            let seam = tail + chunk.prefix(overlap)
            if chunk.range(of: delimiter) != nil || seam.range(of: delimiter) != nil {
                let reason = "found the boundary in the content of a part, expected content without it; send it again"
                throw MultipartError(reason: reason)
            }
            tail = chunk.count >= overlap ? Data(chunk.suffix(overlap)) : Data((tail + chunk).suffix(overlap))
        }
    }
}
