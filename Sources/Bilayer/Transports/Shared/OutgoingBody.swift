import Foundation

/// The bytes of a request's body that a task has read and the transport has not sent yet.
// Sendable: everything mutable is touched under `lock` alone. `goOn` and continuations are called without the lock.
final class OutgoingBody: @unchecked Sendable {
    /// The result of a transport's attempt to take bytes.
    enum Part {
        /// This number of bytes was taken.
        case bytes(Int)
        /// There are no bytes yet. The transport is notified when bytes have arrived or the body has ended.
        case none
        /// All bytes of the body were taken.
        case end
        /// The body cannot be read.
        case failure(TransportError)
    }

    /// The number of unsent bytes at which the task waits.
    private static let capacity = 256 * 1024

    private let lock = NSLock()
    private let source: HTTPBody
    /// The bytes that were read; those before `taken` are sent.
    private var bytes = Data()
    private var taken = 0
    /// Whether the transport has taken bytes since the start of the body.
    private var hasSent = false
    /// The end of the reading; `nil` while there may be further bytes.
    private var end: Result<Void, TransportError>?
    /// Whether the transport has found no bytes, and waits for them.
    private var isAskedFor = false
    /// Whether the body is no longer sent.
    private var isOver = false
    /// The number of times that the body was read again from its start. Chunks of an earlier turn are dropped.
    private var turn = 0
    /// The feeding task, if it waits.
    private var feeder: CheckedContinuation<Void, Never>?

    init(_ source: HTTPBody) { self.source = source }

    /// Reads the body for the transport until the task is cancelled. Starts again when the transport requests it.
    /// - Parameter goOn: Makes the transport read again, after there were no bytes for it.
    func feed(goOn: @escaping @Sendable () -> Void) async {
        var current = -1
        while let turn = await nextTurn(after: current) {
            current = turn
            do {
                var rest = source.length
                var last: Data?
                for try await chunk in source {
                    rest = rest.map { $0 - chunk.count }
                    // With this chunk the transport would have all announced bytes, and would not ask for more. If the
                    // body is longer than announced, the server would take its first part as the whole body. So the
                    // chunk is held back until the end of the body is known.
                    if rest == 0 {
                        last = chunk
                    } else if await give(chunk, in: turn, goOn) == false {
                        break
                    }
                }
                if let last { _ = await give(last, in: turn, goOn) }
                if finish(.success(()), in: turn) { goOn() }
            } catch {
                if finish(.failure(TransportError(ofBody: error)), in: turn) { goOn() }
            }
        }
    }

    /// Waits until the body has to be read again. Returns `nil` when it is no longer sent.
    private func nextTurn(after current: Int) async -> Int? {
        await wait { isOver || turn != current }
        return lock.withLock { isOver ? nil : turn }
    }

    /// Adds a chunk as soon as there is room, and wakes a transport that waits for it.
    /// - Returns: Whether the chunk is still needed.
    private func give(_ chunk: Data, in turn: Int, _ goOn: @Sendable () -> Void) async -> Bool {
        guard let isAsked = await put(chunk, in: turn) else { return false }
        if isAsked { goOn() }
        return true
    }

    /// Adds a chunk as soon as there is room.
    /// - Returns: Whether the transport waits for the chunk; `nil` if the chunk is no longer needed.
    private func put(_ chunk: Data, in turn: Int) async -> Bool? {
        await wait { isOver || turn != self.turn || bytes.count - taken < Self.capacity }
        return lock.withLock {
            guard !isOver, turn == self.turn else { return nil }
            // Sent bytes are removed when they are more than half, so fewer bytes are moved than are removed.
            if taken > bytes.count / 2 {
                bytes.removeSubrange(..<(bytes.startIndex + taken))
                taken = 0
            }
            bytes.append(chunk)
            defer { isAskedFor = false }
            return isAskedFor
        }
    }

    /// Records the end of the reading.
    /// - Returns: Whether the transport waits for bytes or the end. False if the reading was started again meanwhile.
    private func finish(_ result: Result<Void, TransportError>, in turn: Int) -> Bool {
        lock.withLock {
            guard !isOver, turn == self.turn else { return false }
            end = result
            defer { isAskedFor = false }
            return isAskedFor
        }
    }

    /// Waits for a condition, which is checked under the lock, or for the end of the exchange.
    private func wait(until isTrue: () -> Bool) async {
        await withTaskCancellationHandler {
            while !lock.withLock(isTrue) {
                await withCheckedContinuation { continuation in
                    let goesOn = lock.withLock {
                        if isTrue() { return true }
                        feeder = continuation
                        return false
                    }
                    if goesOn { continuation.resume() }
                }
            }
        } onCancel: {
            stop()
        }
    }

    /// Ends the reading: the body is no longer sent.
    private func stop() { change { isOver = true } }

    /// Changes the state, and wakes the feeding task, which may wait for the change.
    private func change<Value>(_ body: () -> Value) -> Value {
        let (value, waiting) = lock.withLock {
            let value = body()
            defer { feeder = nil }
            return (value, feeder)
        }
        waiting?.resume()
        return value
    }

    /// Copies the next bytes for the transport. After ``Part/none``, the `goOn` of ``feed(goOn:)`` is called as soon as
    /// there are bytes, or the body has ended.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> Part {
        change {
            guard taken < bytes.count else {
                switch end {
                case .success: return .end
                case .failure(let error): return .failure(error)
                case nil:
                    isAskedFor = true
                    return .none
                }
            }
            let part = bytes.dropFirst(taken).prefix(room.count)
            // Bound: the part is at most as long as the room.
            _ = unsafe part.copyBytes(to: room)
            taken += part.count
            hasSent = true
            if taken == bytes.count { (bytes, taken) = (Data(), 0) }
            return .bytes(part.count)
        }
    }

    /// Goes back to the start, for another connection.
    /// - Returns: Whether the body can be sent from its start.
    func rewind() -> Bool {
        change {
            if !hasSent { return true }
            guard source.isReplayable else { return false }
            (bytes, taken, hasSent, end) = (Data(), 0, false, nil)
            turn += 1
            return true
        }
    }
}

extension TransportError {
    /// Makes the error of a request's body. An error of kind ``Kind/bodyUnavailable`` stays as it is. Any other error of
    /// the body's source becomes the underlying error. It may be a `TransportError` of another exchange, such as a
    /// download that is sent on, whose response is not a response to this request.
    init(ofBody error: any Error) {
        if let error = error as? TransportError, error.kind == .bodyUnavailable, error.response == nil {
            self = error
        } else {
            self.init(.bodyUnavailable, detail: "its stream failed", underlyingError: error)
        }
    }
}
