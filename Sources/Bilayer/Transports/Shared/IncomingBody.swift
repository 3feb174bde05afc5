import Foundation

/// The body of a response between a transport and its one reader. Stores the received bytes that are not read yet.
///
/// The transport stops receiving while the buffer is full, and goes on when the reader takes the bytes. On Linux
/// ``URLSessionTransport`` does not stop.
// Sendable: everything mutable is touched under `lock` alone. `goOn` and continuations are called outside of it.
final class IncomingBody: @unchecked Sendable {
    /// The number of unread bytes at which a transport stops.
    static let capacity = 256 * 1024

    private let lock = NSLock()
    private let goOn: @Sendable () -> Void
    private var bytes = Data()
    private var isFull = false
    private var end: Result<Void, any Error>?
    private var reader: CheckedContinuation<Data?, any Error>?

    /// Makes an empty body.
    /// - Parameter goOn: Makes the transport receive again, after ``put(_:always:)`` has returned `false`.
    init(goOn: @escaping @Sendable () -> Void) { self.goOn = goOn }

    /// Takes a part if there is room.
    /// - Parameters:
    ///   - part: The received bytes.
    ///   - always: Whether the part is taken even without room, for a transport that cannot pass it a second time.
    /// - Returns: Whether there was room. If not, the transport stops until `goOn` is called.
    func put(_ part: @autoclosure () -> Data, always: Bool = false) -> Bool {
        var waiting: CheckedContinuation<Data?, any Error>?
        var given: Data?
        let hasRoom = lock.withLock {
            let hasRoom = bytes.count < Self.capacity
            if !hasRoom { isFull = true }
            guard hasRoom || always else { return false }
            if reader == nil {
                bytes.append(part())
            } else {
                swap(&waiting, &reader)
                given = part()
            }
            return hasRoom
        }
        waiting?.resume(returning: given)
        return hasRoom
    }

    /// Whether a part would be taken now.
    var hasRoom: Bool { lock.withLock { bytes.count < Self.capacity } }

    /// The number of received bytes that are not read yet.
    var unreadCount: Int { lock.withLock { bytes.count } }

    /// Ends the body. Bytes that were received before can still be read. Only the first call has an effect.
    func finish(_ result: Result<Void, any Error>) {
        let waiting = lock.withLock {
            if end == nil { end = result }
            defer { reader = nil }
            return reader
        }
        waiting?.resume(with: result.map { nil })
    }

    /// Returns the bytes received since the last call; waits if there are none.
    /// - Returns: The bytes; `nil` at the end.
    /// - Throws: The error that ended the body; `CancellationError`.
    func next() async throws -> Data? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in read(continuation) }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    private func read(_ continuation: CheckedContinuation<Data?, any Error>) {
        let (result, wasFull) = lock.withLock {
            let wasFull = isFull
            if !bytes.isEmpty {
                defer { (bytes, isFull) = (Data(), false) }
                return (Result<Data?, any Error>?.some(.success(bytes)), wasFull)
            }
            if let end { return (end.map { nil }, false) }
            reader = continuation
            return (nil, false)
        }
        if let result { continuation.resume(with: result) }
        if wasFull { goOn() }
    }
}

/// The reader's side of a body. When its last reference is released, the transport ends the exchange.
final class IncomingReader: Sendable {
    private let body: IncomingBody
    private let giveUp: @Sendable () -> Void

    /// Makes the reader of a body.
    /// - Parameters:
    ///   - body: The body.
    ///   - giveUp: Ends the exchange if it has not ended.
    init(_ body: IncomingBody, giveUp: @escaping @Sendable () -> Void) {
        self.body = body
        self.giveUp = giveUp
    }

    deinit { giveUp() }

    /// Returns the body as a stream that can be read once.
    /// - Parameter length: The announced number of bytes.
    /// - Returns: The stream, which owns this reader.
    func stream(length: Int?) -> HTTPBody { .stream(length: length) { Chunks(reader: self) } }

    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let reader: IncomingReader

        func makeAsyncIterator() -> Chunks { self }

        func next() async throws -> Data? {
            let chunk = try await reader.body.next()
            // A cancelled reader throws, even if there are unread bytes.
            try Task.checkCancellation()
            return chunk
        }
    }
}
