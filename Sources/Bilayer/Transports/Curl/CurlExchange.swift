#if os(Linux)
import Foundation

/// One request and its response. Collects head and body on the engine's thread. Resumes the waiting call exactly once:
/// when the transfer has ended or reached its time limit, or when the call is cancelled. If the response is streamed,
/// the call is resumed with its head, and the stream ends later.
// Sendable: `incoming`, `onSent` and `onStreamEnd` are set before the start. After the start, the engine's thread alone
// touches every other variable.
final class CurlExchange: @unchecked Sendable {
    /// The end of an exchange: its result and its measurements.
    struct Outcome: Sendable {
        let result: Result<HTTPResponse, any Error>
        let metrics: TransferMetrics?
        /// Whether the response is a head whose body is streamed.
        var isHead = false
        /// The open WebSocket, if the request was for a WebSocket.
        var socket: CurlWebSocket?
        /// Whether libcurl has sent the request a second time.
        var isSentAgain = false
    }

    private enum Waiter {
        /// The call does not wait yet.
        case none
        case call(CheckedContinuation<Outcome, Never>)
        /// The call was resumed, or was cancelled before it waited.
        case ended
    }

    let request: HTTPRequest
    /// Scheme, host and port. Exchanges with an equal origin share connections.
    let origin: String
    /// The longest wait for the next byte.
    let timeout: Duration
    /// The largest body, or message of a WebSocket, in bytes.
    let limit: Int
    private let waiter = Locked(Waiter.none)

    /// The id in the queue of exchanges that wait for a connection; `nil` if the exchange never waited.
    var queueID: Int?
    /// The identity of the transfer; `nil` while there is none.
    var transfer: UInt?
    /// The engine's clock.
    var clock: CurlClock?
    /// The start of the current wait for a byte: the time of the last byte or of the end of a pause. At first it is the
    /// time of the first call of ``advance(received:sent:)``, and `nil` before that.
    private(set) var lastProgress: ContinuousClock.Instant?
    /// Whether the call has ended, but libcurl still looks up a name for it.
    var isAbandoned = false
    /// Receives the body of a successful response as a stream; `nil` for a response that is not streamed.
    var incoming: IncomingBody?
    /// Called with the number of bytes of the request's body that were sent so far.
    var onSent: ((Int) -> Void)?
    /// Called with the measurement of a streamed response.
    var onStreamEnd: ((TransferMetrics) -> Void)?
    /// Returns whether the closing alert of TLS has arrived; `nil` means unknown.
    var findClosingAlert: (() -> Bool?)?
    private var closingAlert: Bool?
    /// Whether the end of the body is the end of the connection. Such a body may be cut if there is no closing alert of
    /// TLS.
    private var endsWithConnection = false
    /// The connection of the request.
    var connection: CurlConnectionUse
    private var isStreaming = false
    private var hasDeliveredHead = false
    private var isFull = false
    /// Whether libcurl waits for bytes of the request's body.
    private(set) var isStarved = false
    /// Whether nothing more is received, so that the rest of the request's body is not sent.
    private var isUploadOver = false
    /// Whether the server had closed the connection when the upload was ended.
    private var isClosed = false
    private var moved: Int64 = 0
    /// The number of received bytes of a stream, before decompression, when its last part was counted.
    private var receivedForParts: Int64 = 0
    /// Whether a part of the body has arrived since then.
    private var hasNewPart = false
    /// The number of sent body bytes that was reported last.
    private var sent = 0
    private var upload: CurlUpload
    private var head = CurlHead()
    private var body = Data()
    /// The number of body bytes after decompression, including those of a stream.
    private var contentCount = 0
    private var failure: TransportError?

    /// Makes an exchange that has not begun.
    /// - Parameters:
    ///   - request: The request, which must be valid.
    ///   - timeout: The longest wait for the next byte.
    ///   - limit: The largest body, in bytes.
    ///   - obstacle: The reason not to send the request a second time; `nil` if it may be sent again.
    init(_ request: HTTPRequest, timeout: Duration, limit: Int, obstacle: String? = nil) {
        self.request = request
        connection = CurlConnectionUse(obstacle: obstacle)
        self.timeout = timeout.clamped
        self.limit = limit
        upload = CurlUpload(request.body)
        head.mayUpgrade = request.opensWebSocket
        let url = request.url
        origin = "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 0)".lowercased()
    }

    /// Makes a call wait for the end, or for the head of a stream.
    /// - Returns: Whether the exchange may begin. If the exchange was already cancelled, the call is resumed at once.
    func wait(_ call: CheckedContinuation<Outcome, Never>) -> Bool {
        let isOpen = waiter.withLock { waiter in
            guard case .none = waiter else { return false }
            waiter = .call(call)
            return true
        }
        if !isOpen { call.resume(returning: Self.cancelled) }
        return isOpen
    }

    /// Resumes the waiting call with `CancellationError`. Has no effect if the call has ended or has its head.
    func cancel() { _ = resume(Self.cancelled) }

    /// Whether a call waits for the end, or for the head of a stream.
    var isWaitedFor: Bool {
        waiter.withLock { if case .call = $0 { true } else { false } }
    }

    /// Resumes the call if it still waits, or ends the stream.
    func end(_ outcome: Outcome) {
        if isStreaming, case .success = outcome.result { deliverHead() }
        var outcome = outcome
        outcome.isSentAgain = connection.isSentAgain
        guard !resume(outcome), let incoming else { return }
        incoming.finish(outcome.result.map { _ in })
        if let metrics = outcome.metrics { onStreamEnd?(metrics) }
    }

    /// Resumes the call if it waits.
    /// - Returns: Whether a call was waiting.
    private func resume(_ outcome: Outcome) -> Bool {
        let previous = waiter.withLock { waiter in
            defer { waiter = .ended }
            return waiter
        }
        guard case .call(let call) = previous else { return false }
        call.resume(returning: outcome)
        return true
    }

    /// The body of the request if a task has to read it.
    var outgoing: OutgoingBody? { upload.outgoing }

    static let cancelled = Outcome(result: .failure(CancellationError()), metrics: nil)
}

// Events, on the engine's thread.
extension CurlExchange {
    /// Takes a line of a head.
    /// - Returns: Whether the transfer continues.
    func receive(line: String, count: Int) -> Bool {
        lastProgress = clock?.now
        let isTrailer = head.isComplete
        do throws(TransportError) {
            try head.receive(line, count: count)
            if isTrailer { return true }
            if head.isComplete { endsWithConnection = !head.isHTTP2 && response(body: Data()).endsWithConnection }
            if head.isComplete, incoming != nil, request.method != .head, HTTPStatus(head.status).isSuccess {
                if let detail = head.obstacleToStream {
                    throw TransportError(.unsupported, detail: detail, response: response(body: Data()))
                }
                isStreaming = true
                if upload.isComplete { deliverHead() }
            } else if head.isComplete, request.method != .head, let announced = head.announcedCount {
                guard announced <= limit else { throw tooLarge(expecting: limit, "found \(announced) announced") }
                body.reserveCapacity(min(announced, 1 << 20))
            }
            return true
        } catch {
            failure = isTrailer ? tooLarge(error.detail ?? "") : error
            return false
        }
    }

    /// The result of receiving a part of the body.
    enum Taking {
        case taken
        /// There is no room. libcurl keeps the part.
        case later
        /// The transfer ends.
        case refused
    }

    /// Takes a part of the body.
    func receive(body part: UnsafeRawBufferPointer) -> Taking {
        lastProgress = clock?.now
        hasNewPart = true
        contentCount += part.count
        if isStreaming, let incoming {
            // Bound: the part's own address and count.
            isFull = unsafe !incoming.put(Data(part))
            return isFull ? .later : .taken
        }
        guard part.count <= limit - body.count else {
            failure = tooLarge(expecting: limit, "found more")
            body = Data()
            return .refused
        }
        // Bound: the part's own address and count.
        unsafe body.append(contentsOf: part)
        return .taken
    }

    /// Copies the next bytes of the request's body.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> OutgoingBody.Part {
        // Bound: passed on.
        let part = unsafe upload.fill(room)
        switch part {
        case .bytes, .end: if isStreaming, upload.isComplete { deliverHead() }
        case .none: isStarved = true
        case .failure(let error): failure = error
        }
        return part
    }

    /// Resumes the call with the head. This function is called after the end of the request's body or of the transfer,
    /// because the resumed call no longer provides the body.
    private func deliverHead() {
        hasDeliveredHead = true
        let head = Result<HTTPResponse, any Error>.success(response(body: Data()))
        _ = resume(Outcome(result: head, metrics: nil, isHead: true, isSentAgain: connection.isSentAgain))
    }

    /// Whether the exchange waits for the app to read received bytes, or to provide bytes to send. During such a wait,
    /// no time limit applies. The app cannot read before it has the head. So before the head is delivered, a full
    /// buffer is not a wait for the app, and the time limit applies. The buffer can be full that early if a server
    /// sends a long response before it has read the whole request.
    var isPaused: Bool { isFull && hasDeliveredHead || isStarved }

    /// Ends a pause, because there is room for bytes, or there are bytes to send.
    func endPause() {
        (isFull, isStarved) = (false, false)
        lastProgress = clock?.now
    }

    /// Whether nothing more can be received while the exchange waits for bytes of the request's body. libcurl itself
    /// goes on waiting for these bytes, even if the response is complete or the server has closed the connection.
    /// - Parameters:
    ///   - received: The number of body bytes before decompression.
    ///   - reading: The descriptors on which libcurl waits for bytes.
    /// - Returns: Whether the exchange is over.
    func hasEndedReceiving(received: Int, reading: CurlReads) -> Bool {
        guard isStarved, !isFull else { return false }
        if hasAll(received: received) { return true }
        guard let descriptor = connection.descriptor else { return false }
        return !reading.contains(descriptor)
    }

    /// Ends the request's body: libcurl is to end the transfer when it next asks for bytes.
    func endUpload() {
        isUploadOver = true
        endPause()
    }

    /// Whether the transfer ends because the request's body was ended. libcurl calls this function while the transfer
    /// has its connection.
    func endsUpload() -> Bool {
        guard isUploadOver else { return false }
        // If it is unknown whether the closing alert of TLS has arrived, the connection counts as closed. A cut body is
        // then not taken for whole.
        let isOfTLS = request.url.scheme?.lowercased() == "https"
        isClosed = connection.isClosed || isOfTLS && findClosingAlert?() != false
        return true
    }

    /// Moves to another position of the request's body.
    ///
    /// libcurl calls this function before it asks whether the request may be sent on another connection. If the body
    /// cannot be sent again and no response has arrived, the exchange fails with the loss of the first connection.
    func rewind(to position: Int) -> Bool {
        isStarved = false
        if upload.rewind(to: position) { return true }
        if head.status == 0 { failure = failure ?? connection.loss }
        return false
    }

    /// Whether the request may be sent on a connection.
    func begin(on ports: CurlKeptConnections.Ports) -> Bool {
        isStarved = false
        do throws(TransportError) {
            return try connection.begin(on: ports)
        } catch {
            failure = error
            return false
        }
    }

    /// Records that libcurl works on the connection, and whether bytes were transferred over it.
    /// - Returns: Whether the transfer continues.
    func advance(received: Int64, sent: Int64) -> Bool {
        // If a body ends with the connection, libcurl takes every end of the connection as the end of the body, and
        // calls this function once more after it.
        if endsWithConnection { closingAlert = findClosingAlert?() }
        if isStreaming, hasNewPart { (receivedForParts, hasNewPart) = (received, false) }
        // Compressed bytes may decompress to nothing: blocks can be empty, and the file name in a `gzip` header can be
        // endless. So the bytes are limited before decompression, too.
        guard received - receivedForParts - Int64(CurlHead.maximumBytes) <= Int64(limit) else {
            let most = "\(limit) and \(CurlHead.maximumBytes)"
            failure = tooLarge("found more bytes before decompression, expected at most \(most)")
            body = Data()
            return false
        }
        let moved = received + sent
        // `sent` includes the framing of chunks. `upload.filled` includes bytes that libcurl has not sent yet. The
        // smaller of the two is nearest to the number of sent body bytes.
        let ofBody = min(Int(sent), upload.filled)
        if ofBody != self.sent {
            self.sent = ofBody
            onSent?(ofBody)
        }
        guard lastProgress == nil || moved != self.moved else { return true }
        self.moved = moved
        lastProgress = clock?.now
        return true
    }

    private func tooLarge(expecting limit: Int, _ found: String) -> TransportError {
        tooLarge("\(found), expected at most \(limit) bytes")
    }

    private func tooLarge(_ detail: String) -> TransportError {
        TransportError(.responseTooLarge, detail: detail, response: head.isComplete ? response(body: Data()) : nil)
    }

    private func response(body: Data) -> HTTPResponse {
        HTTPResponse(status: HTTPStatus(head.status), headers: head.headers, body: body, url: request.url)
    }

    /// The complete response. It is marked as possibly incomplete if its body ends with the connection and the closing
    /// alert of TLS is unknown.
    private var whole: HTTPResponse {
        var response = response(body: body)
        response.mayBeIncomplete = endsWithConnection && closingAlert == nil
        return response
    }

    /// Returns why a body that libcurl takes as complete is cut, or `nil` if it can be complete.
    private func reasonForCut(count: Int) -> String? {
        if endsWithConnection, closingAlert == false, request.method != .head {
            return "found \(count) bytes and the end of the connection, expected the closing alert of TLS before it"
        }
        return head.headers.reasonForCutEncoding(count: count, content: contentCount)
    }
}

extension CurlExchange {
    /// Returns the result of a transfer as if ``endUpload()`` had not ended it.
    /// - Parameters:
    ///   - code: The result of libcurl.
    ///   - received: The number of body bytes before decompression.
    /// - Returns: The result that libcurl gives if it ends such a transfer itself.
    func code(for code: CurlCode, received: Int) -> CurlCode {
        guard code == .aborted, isUploadOver, failure == nil else { return code }
        guard head.isComplete else { return head.status == 0 ? .gotNothing : .ok }
        return hasEndedBody(received: received) ? .ok : .partialFile
    }

    /// Whether the response's body has ended, after libcurl has stopped receiving.
    private func hasEndedBody(received: Int) -> Bool {
        if head.isWhole(count: received) { return true }
        // Without a close, libcurl has stopped receiving at the last chunk.
        if head.headers["Transfer-Encoding"] != nil { return !isClosed }
        return !head.isHTTP2 && head.announcedCount == nil
    }

    /// Returns the response, or the error of the transfer.
    /// - Parameters:
    ///   - code: The result of libcurl.
    ///   - text: libcurl's text for the code.
    ///   - received: The number of body bytes before decompression.
    ///   - proxyStatus: The status of a proxy's response to the request for a tunnel; 0 without such a request.
    ///   - hasAlert: Whether the peer has sent a TLS alert.
    ///   - encodings: The encodings that libcurl can decode.
    /// - Returns: The outcome for the call.
    func result(
        of code: CurlCode,
        text: String,
        received: Int,
        proxyStatus: Int,
        hasAlert: Bool,
        encodings: [String]
    ) -> Result<HTTPResponse, any Error> {
        if let failure { return .failure(failure) }
        if code == .ok, head.isComplete {
            guard let detail = reasonForCut(count: received) else { return .success(whole) }
            return .failure(TransportError(.brokenBody, detail: detail, response: response(body: body)))
        }
        // A server that needs no more of the request may end the stream (RFC 9113 §8.1) or the connection after a whole
        // response.
        if [.http2Stream, .sendFailed, .receiveFailed].contains(code), hasAll(received: received) {
            return .success(response(body: body))
        }
        if request.opensWebSocket {
            // The server opens no WebSocket, and responds with a 401, for example. libcurl does not report the end of
            // that response's head.
            if code == .refused, head.status != 0 { return .success(response(body: body)) }
            if code == .unsupportedProtocol {
                let detail = "found a libcurl without WebSockets, expected one that is built with them"
                return .failure(TransportError(.unsupported, detail: detail))
            }
        }
        let evidence = CurlEvidence(
            code: code,
            text: text,
            isBeforeHeadOverTLS: head.status == 0 && request.url.scheme?.lowercased() == "https",
            partial: head.isComplete ? response(body: body) : nil,
            announced: request.method == .head ? nil : head.announcedCount,
            received: received,
            proxyStatus: proxyStatus,
            hasAlert: hasAlert,
            encodings: encodings
        )
        return .failure(TransportError(evidence))
    }

    /// Returns the result of an exchange that was too long without a byte. A server may have sent the whole response
    /// without reading the rest of the request.
    /// - Parameter received: The number of body bytes before decompression.
    /// - Returns: The response if all of it has arrived, otherwise the error.
    func resultAtTimeLimit(received: Int) -> Result<HTTPResponse, any Error> {
        if hasAll(received: received) { return .success(response(body: body)) }
        // Inside a head, only whole lines count as received. Bytes of the next line may have arrived.
        let missing = head.isComplete || connection.ports == nil ? "byte" : "whole line of a head"
        let error = TransportError(
            .timedOut,
            detail: "found no \(missing) within \(timeout.formattedSeconds)",
            response: head.isComplete ? response(body: body) : nil
        )
        return .failure(error)
    }

    /// Whether the whole body has arrived, by the length in the head. If the stream's buffer is full, libcurl still has
    /// a part of the body.
    private func hasAll(received: Int) -> Bool {
        failure == nil && !isFull && head.isWhole(count: received) && reasonForCut(count: received) == nil
    }
}

extension Duration {
    /// The duration within the limits of a wait: from a millisecond to some thirty years.
    var clamped: Duration { min(max(self, .milliseconds(1)), .seconds(1_000_000_000)) }
}

/// The engine's clock. The engine reads the time once for all events that it then handles.
final class CurlClock {
    private(set) var now = ContinuousClock.now

    func update() { now = .now }
}
#endif
