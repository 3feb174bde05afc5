import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One task of a session and its response. Collects head and body. Resumes the waiting call exactly once: when the task
/// ends, when the body exceeds the limit, or when the call is cancelled. On Linux, also when nothing was sent or
/// received for too long (`StallTimer`). If the response is streamed, the call is resumed with the response's head.
// Sendable: everything mutable is touched under `lock` alone. Continuations are resumed outside of it. Of a task only
// `suspend` and `resume` are called under the lock, and these call nothing back.
final class SessionTransfer: @unchecked Sendable {
    private enum State {
        /// The task is not made yet.
        case idle
        /// The call waits for the response, or for the head of a streamed response.
        case running(URLSessionTask, CheckedContinuation<HTTPResponse, any Error>)
        /// The call has the head, and the body arrives.
        case streaming(URLSessionTask, IncomingBody)
        /// The call has ended, or was cancelled before its task was made.
        case ended
    }

    private let lock = NSLock()
    private let limit: Int
    private let hasBody: Bool
    private let isStreamed: Bool
    private let headMayBeOfProxy: Bool
    private let onSent: (@Sendable (Int) -> Void)?
    private var state = State.idle
    private var head: URLResponse?
    /// A stream's head that may come from a proxy; `nil` as soon as a byte of the body arrives.
    private var uncertainHead: URLResponse?
    /// Whether an interim response (1xx) has arrived.
    private var hasInterimHead = false
    private var incoming: IncomingBody?
    private var body = Data()
    /// The number of received body bytes, including those of a stream.
    private var count = 0
    /// Whether the session has requested credentials, and got none.
    private var challengeWasRejected = false
    /// Whether the delegate answers a redirect. The task is then never cancelled (``claimRedirect()``).
    private var redirectIsAnswered = false
    /// Whether anything was sent or received since the last check of the time limit.
    private var hasMoved = false
    /// The number of bytes of the request's body that were sent.
    private var sent: Int64 = 0
    /// Whether the task is suspended, because the reader of the stream is slower.
    private var isSuspended = false

    /// Makes a transfer without a task.
    /// - Parameters:
    ///   - limit: The largest body, in bytes.
    ///   - hasBody: Whether the response can have a body. False for `HEAD`: the length in the head is then that of the
    ///     response to a `GET`.
    ///   - isStreamed: Whether the body of a successful response is streamed.
    ///   - headMayBeOfProxy: Whether the first head may be the answer of a proxy to the request for a tunnel. A stream
    ///     then begins with the first byte of the body, because only the last head is that of the server.
    ///   - onSent: Called with the number of bytes of the request's body that were sent so far.
    init(
        limit: Int,
        hasBody: Bool,
        isStreamed: Bool = false,
        headMayBeOfProxy: Bool = false,
        onSent: (@Sendable (Int) -> Void)? = nil
    ) {
        self.limit = limit
        self.hasBody = hasBody
        self.isStreamed = isStreamed
        self.headMayBeOfProxy = headMayBeOfProxy
        self.onSent = onSent
    }

    /// Makes the task and resumes it, unless the call has been cancelled meanwhile.
    func start(_ continuation: CheckedContinuation<HTTPResponse, any Error>, makeTask: () -> URLSessionTask) {
        guard lock.withLock({ isIdle }) else { return continuation.resume(throwing: CancellationError()) }
        let task = makeTask()
        let isStarted = lock.withLock {
            guard isIdle else { return false }
            state = .running(task, continuation)
            return true
        }
        if isStarted {
            task.resume()
        } else {
            task.cancel()
            continuation.resume(throwing: CancellationError())
        }
    }

    /// Ends the call with `CancellationError`, without waiting for the session. Has no effect on a call that has ended.
    func cancel() {
        end(.failure(CancellationError()))?.cancel()
    }

    /// Receives a head. Each further head replaces the previous head and its body. Interim responses (1xx) are ignored.
    func receive(_ response: URLResponse) {
        if let response = response as? HTTPURLResponse, HTTPStatus(response.statusCode).isInformational {
            return lock.withLock { hasInterimHead = true }
        }
        lock.withLock {
            head = response
            (body, count, hasMoved) = (Data(), 0, true)
            uncertainHead = headMayBeOfProxy && isStream(response) ? response : nil
        }
        if headMayBeOfProxy, isStream(response) { return }
        if beginStream(response) { return }
        if hasBody, !response.isBodiless, response.expectedContentLength > Int64(limit) {
            refuse("\(response.expectedContentLength) announced")
        }
    }

    /// Receives a part of the body.
    func receive(_ data: Data) {
        let uncertainHead = lock.withLock {
            defer { self.uncertainHead = nil }
            return self.uncertainHead
        }
        if let uncertainHead { _ = beginStream(uncertainHead) }
        let state = lock.withLock {
            count += data.count
            hasMoved = true
            return self.state
        }
        if case .streaming(let task, let incoming) = state {
            return receive(data, for: incoming, from: task)
        }
        let isTooLarge = lock.withLock {
            guard data.count <= limit - body.count else { return true }
            if body.isEmpty { body = data } else { body.append(data) }
            return false
        }
        if isTooLarge { refuse("more") }
    }

    /// Records that a part of the request's body was sent.
    /// - Parameter count: The number of bytes so far.
    func recordSending(_ count: Int64) {
        let isMore = lock.withLock {
            hasMoved = true
            // A session reports the end twice.
            defer { sent = count }
            return sent != count
        }
        if isMore { onSent?(Int(count)) }
    }

    /// Ends a call that waits for its response, if nothing was sent or received since the last check.
    func endIfStalled() {
        let (isStalled, head) = lock.withLock {
            defer { hasMoved = false }
            guard case .running = state, !hasMoved else { return (false, nil as HTTPResponse?) }
            return (true, (self.head as? HTTPURLResponse).map { HTTPResponse($0, body: body) })
        }
        guard isStalled else { return }
        let detail = "found no \(head == nil ? "head of a response that is no redirect" : "end of the exchange")"
        end(.failure(TransportError(.timedOut, detail: detail, response: head)))?.cancel()
    }

    /// Records that the session requested credentials, and got none.
    func rejectChallenge() {
        lock.withLock { challengeWasRejected = true }
    }

    /// Returns whether the delegate may answer a redirect; false if the call has ended.
    ///
    /// FoundationNetworking ends the process if a task is cancelled between a redirect and the answer to it. So after
    /// `true` the task is never cancelled, and after `false` the redirect must not be answered.
    func claimRedirect() -> Bool {
        lock.withLock {
            guard case .running = state else { return false }
            redirectIsAnswered = true
            return true
        }
    }

    /// Receives the end of the task.
    /// - Parameters:
    ///   - error: The error, if the task failed.
    ///   - lastHead: The head that the task ended with. On Linux it is the only sign of a redirect without a usable
    ///     `Location`. The body of that redirect is lost.
    ///   - hiddenLength: The length of a body that a head has announced, also if the session has not delivered that
    ///     head. For a head without a length it is -1 if the task ended with the error -1, otherwise `nil`. It is also
    ///     `nil` if there was no head, and always on Apple platforms. On Linux it is the only sign of a redirect whose
    ///     body was cut.
    func complete(_ error: (any Error)?, lastHead: URLResponse? = nil, hiddenLength: Int64? = nil) {
        let result = lock.withLock {
            if error == nil, head == nil { head = lastHead }
            return Result { try response(endingWith: error, hiddenLength) }
        }
        _ = end(result)
    }

    private var isIdle: Bool {
        if case .idle = state { true } else { false }
    }

    private func response(endingWith error: (any Error)?, _ hiddenLength: Int64?) throws -> HTTPResponse {
        guard let error, !isRejectedChallenge(error) else {
            guard let head = head as? HTTPURLResponse else {
                throw TransportError(.malformedResponse, detail: "found a response without an HTTP head, expected one")
            }
            var response = HTTPResponse(head, body: body)
            #if canImport(FoundationNetworking)
            // HTTP/2 has no field `Connection`, and marks the end of a body itself.
            response.mayBeIncomplete = response.endsWithConnection && response.headers["Connection"] != nil
            #endif
            let length = hasBody && !head.isBodiless ? response.headers[.contentLength].flatMap { Int($0) } : nil
            if let detail = response.headers.reasonForCutEncoding(count: length ?? 0, content: count) {
                throw TransportError(.brokenBody, detail: detail, response: response)
            }
            return response
        }
        let partial = (head as? HTTPURLResponse).map { HTTPResponse($0, body: body) }
        // After an interim response, the task also has the length -1, but an interim response has no body that can be
        // cut.
        let hiddenLength = hasInterimHead && hiddenLength == -1 ? nil : hiddenLength
        let announced = head?.expectedContentLength ?? hiddenLength
        throw TransportError(error, announced: announced, partial: partial, count: head == nil ? nil : count)
    }

    private func isRejectedChallenge(_ error: any Error) -> Bool {
        challengeWasRejected && head != nil && (error as? URLError)?.code == .cancelled
    }

    private func refuse(_ found: String) {
        let detail = "found \(found), expected at most \(limit) bytes"
        let head = lock.withLock {
            body = Data()
            return self.head as? HTTPURLResponse
        }
        let response = head.map { HTTPResponse($0, body: Data()) }
        end(.failure(TransportError(.responseTooLarge, detail: detail, response: response)))?.cancel()
    }

    /// Resumes the call if it still waits, or ends the stream. Returns the task to cancel, if there is one.
    private func end(_ result: Result<HTTPResponse, any Error>) -> URLSessionTask? {
        let (previous, endsByItself) = lock.withLock {
            defer { state = .ended }
            return (state, redirectIsAnswered)
        }
        switch previous {
        case .running(let task, let continuation):
            continuation.resume(with: result)
            return endsByItself ? nil : task
        case .streaming(let task, let incoming):
            incoming.finish(result.map { _ in })
            return endsByItself ? nil : task
        case .idle, .ended: return nil
        }
    }
}

// The body as a stream.
extension SessionTransfer {
    /// Resumes the call with the head of a successful response.
    /// - Returns: Whether the body is streamed.
    private func beginStream(_ head: URLResponse) -> Bool {
        guard isStream(head), let head = head as? HTTPURLResponse else { return false }
        let incoming = IncomingBody { [weak self] in self?.resumeTask() }
        let waiting: CheckedContinuation<HTTPResponse, any Error>? = lock.withLock {
            guard case .running(let task, let continuation) = state else { return nil }
            state = .streaming(task, incoming)
            self.incoming = incoming
            return continuation
        }
        waiting?.resume(returning: HTTPResponse(head, body: Data()))
        return true
    }

    /// Whether the body of a response is streamed.
    private func isStream(_ head: URLResponse) -> Bool {
        isStreamed && hasBody && (head as? HTTPURLResponse).map { HTTPStatus($0.statusCode).isSuccess } ?? false
    }

    /// Returns the response that the call was resumed with, and adds the body if it is streamed.
    ///
    /// The stream is made in the task of the call, not on the session's thread. Otherwise the thread sanitizer would
    /// report a race, because the sanitizer does not detect that the writes precede the resumption of the call.
    func opening(_ response: HTTPResponse) -> HTTPResponse {
        guard let incoming = lock.withLock({ incoming }) else { return response }
        var response = response
        response.stream = IncomingReader(incoming) { self.cancel() }.stream(length: response.streamLength)
        return response
    }

    /// Takes a part of a streamed body. A session delivers a part only once, so the part is taken even without room. If
    /// there is no room, the task is suspended until the reader has made room. On Linux a suspended task would deliver
    /// some parts twice. So on Linux the task is not suspended, and only `limit` bounds the unread bytes.
    private func receive(_ data: Data, for incoming: IncomingBody, from task: URLSessionTask) {
        if incoming.put(data, always: true) { return }
        guard incoming.unreadCount <= limit else {
            let detail = "found more ahead of the reader, expected at most \(limit) bytes"
            end(.failure(TransportError(.responseTooLarge, detail: detail)))?.cancel()
            return
        }
        #if !canImport(FoundationNetworking)
        lock.withLock {
            guard !isSuspended else { return }
            isSuspended = true
            task.suspend()
        }
        // The reader may have made room before the task was suspended.
        if incoming.hasRoom { resumeTask() }
        #endif
    }

    private func resumeTask() {
        lock.withLock {
            guard isSuspended, case .streaming(let task, _) = state else { return }
            isSuspended = false
            task.resume()
        }
    }
}

extension URLResponse {
    /// Whether a response of this status has no body. A length in the head of a 304 is that of the 200 response to the
    /// same request (RFC 9110 §8.6).
    fileprivate var isBodiless: Bool { [204, 304].contains((self as? HTTPURLResponse)?.statusCode) }
}
