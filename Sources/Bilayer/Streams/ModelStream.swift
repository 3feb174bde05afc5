/// The elements of a stream as they arrive, made by `client.stream(_:as:)`.
///
/// Each iteration sends the request when its first element is requested. At most a few hundred KiB are received ahead
/// of the reader, so a slow reader slows the server. On Linux, ``URLSessionTransport`` receives more. A transport that
/// does not stream receives the whole response first. The exchange ends with the loop.
public struct ModelStream<Response: Sendable>: AsyncSequence, Sendable {
    /// The elements of an iteration.
    public typealias Element = Response

    /// The stream's elements, each with the type and the id of its server-sent event.
    public let events: EventStream<Response>

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: events.makeAsyncIterator()) }

    /// Reads the stream element by element.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var events: EventStream<Response>.AsyncIterator

        /// The next element; `nil` at the end.
        /// - Throws: ``CallError`` of the stage that failed; `CancellationError`.
        @concurrent
        public mutating func next() async throws -> Response? { try await events.next()?.value }
    }
}

extension ModelStream: Redacted {}
extension ModelStream.AsyncIterator: Redacted {}
