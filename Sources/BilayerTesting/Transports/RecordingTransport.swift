public import Bilayer
import Foundation

/// A transport that wraps another transport and records its requests and responses.
///
/// ```swift
/// let recording = RecordingTransport(URLSessionTransport())
/// let client = Client(baseURL: server.url, transport: recording)
/// _ = try await client.fetch(.users)
/// let exchange = try #require(recording.exchanges.first)
/// #expect(exchange.request.headers[.accept] == "application/json")
/// #expect(try exchange.result.get().status == 200)
/// ```
///
/// Its position in the chain determines what it records. If a retry wraps it, it records each attempt. If it wraps a
/// retry, it records the whole call. From a streamed body it records the bytes that are read, and whether they were
/// read to the end. A recorded exchange contains neither the stream nor a WebSocket.
public final class RecordingTransport: Transport {
    /// A request and its outcome.
    public struct Exchange: Sendable {
        /// The request that this transport received. A body from a file has the bytes that the file had.
        public let request: HTTPRequest
        /// The response, or the error that was thrown. If the body is a stream, the recorded body has the bytes that
        /// were read, even if the connection was lost.
        public let result: Result<HTTPResponse, any Error>
        /// Why the body of a stream is not whole; `nil` for a whole body.
        var cut: Recording.Cut?
    }

    private let base: AnyNode<HTTPRequest, HTTPResponse>
    private let log = Watched<[Recorded]>([])

    /// An exchange whose stream may still be read.
    private struct Recorded: Sendable {
        var exchange: Exchange
        /// The chunks of the stream. They are put together when the recording is read: a copy of the whole body for
        /// each chunk would make a long stream slow.
        var chunks: [Data] = []

        var whole: Exchange {
            guard !chunks.isEmpty, case .success(var response) = exchange.result else { return exchange }
            response.body.reserveCapacity(chunks.reduce(0) { $0 + $1.count })
            for chunk in chunks { response.body.append(chunk) }
            return Exchange(request: exchange.request, result: .success(response), cut: exchange.cut)
        }

        /// Ends the stream, and puts its chunks together.
        mutating func end(_ cut: Recording.Cut?) {
            exchange = whole
            exchange.cut = cut
            chunks = []
        }
    }

    /// Makes a recording transport.
    /// - Parameter base: The transport that sends the requests.
    public init(_ base: some Node<HTTPRequest, HTTPResponse>) { self.base = base.erased() }

    /// All exchanges with a response or an error so far, in the order in which these arrived. The stream of a response
    /// may not have ended.
    public var exchanges: [Exchange] { log.withLock { $0 }.map(\.whole) }

    /// Whether the wrapped transport streams responses; `true` if that is unknown.
    public var streamsResponses: Bool { base.streamsResponses ?? true }

    /// Passes the request to the wrapped transport and records the outcome.
    /// - Throws: The error of the wrapped transport.
    public func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        var response: HTTPResponse
        let sent = request
        // The app may remove or change its file after the call.
        let request = request.withBytesOfFile
        do {
            response = try await base.process(sent, in: context)
        } catch {
            log.withLock { $0.append(Recorded(exchange: Exchange(request: request, result: .failure(error)))) }
            throw error
        }
        var recorded = response
        (recorded.stream, recorded.webSocket) = (nil, nil)
        let index = log.withLock { log in
            let cut: Recording.Cut? = response.stream == nil ? nil : .left
            log.append(Recorded(exchange: Exchange(request: request, result: .success(recorded), cut: cut)))
            return log.count - 1
        }
        if let stream = response.stream {
            let chunks = RecordedChunks(base: stream) { [log] event in
                log.withLock { log in
                    switch event {
                    case .success(let chunk?): log[index].chunks.append(chunk)
                    case .success(nil): log[index].end(nil)
                    // The reader has left the stream.
                    case .failure(is CancellationError): break
                    case .failure(let error):
                        log[index].end(.lost((error as? TransportError)?.kind ?? .brokenBody))
                    }
                }
            }
            response.stream = .stream(length: stream.length) { chunks }
        }
        return response
    }
}

extension HTTPRequest {
    /// This request with the bytes of its body's file in place of the file.
    fileprivate var withBytesOfFile: HTTPRequest {
        guard let bytes = body?.file.flatMap({ try? RegularFile.contents(of: $0) }) else { return self }
        var request = self
        request.body = .data(bytes)
        return request
    }
}

/// The chunks of a stream. Each chunk is recorded when it is read. The end or the error of the stream is recorded, too.
private struct RecordedChunks: AsyncSequence, Sendable {
    let base: HTTPBody
    let note: @Sendable (Result<Data?, any Error>) -> Void

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), note: note) }

    struct Iterator: AsyncIteratorProtocol {
        var base: HTTPBody.AsyncIterator
        let note: @Sendable (Result<Data?, any Error>) -> Void

        @concurrent
        mutating func next() async throws -> Data? {
            do {
                let chunk = try await base.next()
                note(.success(chunk))
                return chunk
            } catch {
                note(.failure(error))
                throw error
            }
        }
    }
}

extension RecordingTransport: Redacted {
    /// The type, with the wrapped transport: `RecordingTransport(URLSessionTransport)`.
    public var description: String { "RecordingTransport(\(base))" }
}

extension RecordingTransport.Exchange: Redacted {
    /// The request, followed by the response or the type of the error.
    public var description: String {
        switch result {
        case .success(let response): "\(request) -> \(response)"
        case .failure(let error): "\(request) -> \(typeName(type(of: error)))"
        }
    }
}
