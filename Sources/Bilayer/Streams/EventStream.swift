import Foundation

/// The elements of a stream with the type and the id of their server-sent event. It is returned by
/// ``ModelStream/events``.
///
/// ```swift
/// for try await event in client.stream(Route<Json>.get("changes"), as: .serverSentEvents).events {
///     print(event.event ?? "", event.id ?? "", event.value)
/// }
/// ```
public struct EventStream<Response: Sendable>: AsyncSequence, Sendable {
    /// The elements of an iteration.
    public typealias Element = StreamEvent<Response>

    let source: StreamSource<Response>

    /// Begins an iteration.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source) }

    /// Reads the stream element by element.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: StreamSource<Response>
        private let context: CallContext
        private let call: LongCall
        /// The context of the elements: a run inside of the call.
        private var elements: CallContext?
        private var framing: any ElementFraming
        /// Converts the bytes to UTF-8; `nil` for formats whose ``StreamFormat/content`` is not `json`.
        private var text: TextConversion?
        private var head: HTTPResponse?
        private var chunks: HTTPBody.AsyncIterator?
        private var ready: [StreamedElement] = []
        private var nextReady = 0
        private var index = 0
        private var attempts = 0
        private var isOver = false
        /// Whether the server has ended a stream that is opened again after its end (``Reconnection/isAfterEnd``). This
        /// happens after all ready elements are returned.
        private var hasEnded = false
        /// The error that ends the stream. It is thrown after all ready elements are returned.
        private var failure: (any Error)?

        init(_ source: StreamSource<Response>) {
            self.source = source
            context = source.makeContext()
            call = LongCall(context)
            framing = source.format.makeFraming()
        }

        /// The next element; `nil` at the end.
        /// - Throws: ``CallError`` of the stage that failed; `CancellationError`.
        @concurrent
        public mutating func next() async throws -> Element? {
            call.begin()
            do {
                let element = try await nextElement()
                if element == nil { call.end() }
                return element
            } catch {
                call.end(error)
                throw error
            }
        }

        @concurrent
        private mutating func nextElement() async throws -> Element? {
            while true {
                try Task.checkCancellation()
                if nextReady < ready.count {
                    if let value = try await mapNext() { return value }
                } else if let failure {
                    close()
                    throw failure
                } else if isOver {
                    return nil
                } else {
                    try await receive()
                }
            }
        }

        /// Maps the next element that is ready.
        /// - Returns: The value; `nil` if the element is left out, or ends the stream.
        private mutating func mapNext() async throws -> Element? {
            let element = ready[nextReady]
            nextReady += 1
            attempts = 0
            defer { index += 1 }
            do {
                let value = try await source.map(element, index, head ?? HTTPResponse(status: 200), elements ?? context)
                return Element(value: value, event: element.event, id: element.id)
            } catch is CallError where source.policy == .skip {
                return nil
            } catch is CallError where source.policy == .end {
                close()
                return nil
            } catch {
                close()
                call.end(error, isReported: false)
                throw error
            }
        }

        /// Opens the stream if it is not open, and receives the next bytes.
        @concurrent
        private mutating func receive() async throws {
            (ready, nextReady) = ([], 0)
            if hasEnded {
                hasEnded = false
                return try await waitToReopen(after: nil)
            }
            if chunks == nil {
                do {
                    if try await !open() { return close() }
                } catch {
                    // The pipeline that opens the stream has made this error, so it is not wrapped again.
                    return try await waitToReopen(after: error)
                }
                if let head, !begin(head) { return }
            }
            let chunk: Data?
            do {
                chunk = try await chunks?.next()
                if let chunk { context.countReceived(chunk.count) }
            } catch {
                disconnect()
                context.observe(.lost(error))
                return try await waitToReopen(after: context.callError(after: error, in: .transport))
            }
            do {
                if let bytes = try chunk.map({ try text?.append($0) ?? $0 }) ?? text?.finish() {
                    try framing.append(bytes, to: &ready)
                }
                if chunk == nil { try framing.finish(&ready) }
            } catch let loss as TransportError where chunk == nil {
                disconnect()
                return try await waitToReopen(after: context.callError(after: loss, in: .transport))
            } catch {
                failure = context.callError(after: error, in: .rawMapping)
                return
            }
            if framing.isOver { isOver = true }
            if chunk != nil { return }
            disconnect()
            if source.format.reconnection.isAfterEnd, !isOver { hasEnded = true } else { isOver = true }
        }

        /// - Returns: Whether the stream has the framing's format.
        private mutating func begin(_ head: HTTPResponse) -> Bool {
            text = source.format.content == .json ? TextConversion(of: head, in: context) : nil
            do {
                try framing.begin(head)
                return true
            } catch {
                failure = context.callError(after: error, in: .rawMapping)
                return false
            }
        }

        /// - Returns: Whether there is a stream. A 204 means that there is none, now and later.
        private mutating func open() async throws -> Bool {
            var response = try await source.open(framing.position, context)
            guard response.status != 204 else { return false }
            chunks = response.chunks.makeAsyncIterator()
            // This leaves the only reference to the stream in `chunks`, so the exchange ends with the iterator.
            response.stream = nil
            head = response
            elements = context.beginRun()
            if let sent = context.sentRequest { elements?.recordRequest(sent) }
            return true
        }

        /// Waits until the stream may be opened again.
        /// - Parameter error: The reason why the stream is no longer open; `nil` if the server has ended the stream.
        /// - Throws: The error, if it is final. `CancellationError` if the task is cancelled during the wait.
        private mutating func waitToReopen(after error: (any Error)?) async throws {
            attempts += 1
            let wait = source.format.reconnection.wait(
                before: attempts,
                after: error,
                asked: framing.position?.wait,
                for: "the stream is opened again",
                in: context
            )
            guard let wait else {
                close()
                if let error { throw error }
                return
            }
            framing.reconnect()
            try await context.clock.pause(for: wait)
        }

        /// Drops the connection, but keeps the head, which the ready elements still need.
        private mutating func disconnect() { chunks = nil }

        private mutating func close() {
            disconnect()
            (isOver, failure, ready, nextReady) = (true, nil, [], 0)
        }
    }
}

/// An element of a stream, with the type and the id of its server-sent event.
public struct StreamEvent<Value: Sendable>: Sendable {
    /// The mapped element.
    public let value: Value
    /// The type of the server-sent event, `message` if the event states no type. `nil` if a built-in format has read
    /// the element from something else, such as a line.
    public let event: String?
    /// The last event id when the event arrived; `nil` if there was none, or if it was empty.
    public let id: String?
}

extension EventStream: Redacted {}
extension EventStream.AsyncIterator: Redacted {}
extension StreamEvent: Redacted {}
