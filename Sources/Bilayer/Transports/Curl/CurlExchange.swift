#if os(Linux)
import Foundation

/// One request and its response. Collects head and body on the engine's thread, and resumes the waiting call exactly
/// once: when the transfer has ended, or when the call is cancelled. A response that is streamed resumes it with its
/// head, and ends the stream later.
// Sendable: `incoming` and the closures are set before the start, and every other variable is touched by the engine's
// thread alone.
final class CurlExchange: @unchecked Sendable {
    /// How an exchange ended.
    struct Outcome: Sendable {
        let result: Result<HTTPResponse, any Error>
        let metrics: TransferMetrics?
        /// Whether the response is a head whose body is streamed.
        var isHead = false
        /// The open WebSocket of a request for one.
        var socket: CurlWebSocket?
        /// Whether libcurl has sent the request a second time.
        var isSentAgain = false
    }

    private enum Waiter {
        case none
        case call(CheckedContinuation<Outcome, Never>)
        case ended
    }

    let request: HTTPRequest
    /// Scheme, host and port, which share connections.
    let origin: String
    /// How long to wait for the next byte.
    let timeout: Duration
    /// The largest body, or message of a WebSocket, in bytes.
    let limit: Int
    private let waiter = Locked(Waiter.none)

    /// The id in the queue of those that wait for a connection; `nil` if it never waited.
    var queueID: Int?
    /// The identity of the transfer; `nil` while there is none.
    var transfer: UInt?
    /// The time that the engine has read last.
    var clock: CurlClock?
    /// When a byte went over the connection; `nil` while there is no connection.
    private(set) var lastProgress: ContinuousClock.Instant?
    /// Whether the call has ended, but libcurl still looks up a name for it.
    var isAbandoned = false
    /// Receives the body of a successful response as a stream; `nil` for a response that comes whole.
    var incoming: IncomingBody?
    /// Called for the bytes of the request's body that were sent so far.
    var onSent: ((Int) -> Void)?
    /// Called with the measurement of a streamed response.
    var onStreamEnd: ((TransferMetrics) -> Void)?
    /// Whether the closing alert of TLS has come; `nil` if that cannot be known.
    var findClosingAlert: (() -> Bool?)?
    private var closingAlert: Bool?
    /// Whether the body is whole only with that alert, and without it may be cut.
    private var endsWithConnection = false
    /// The connection of the request.
    var connection: CurlConnectionUse
    private var isStreaming = false
    private var hasDeliveredHead = false
    private var isFull = false
    private var isStarved = false
    private var moved: Int64 = 0
    /// The bytes of a stream before its last part, before decompression, and whether a part has come since.
    private var receivedForParts: Int64 = 0
    private var hasNewPart = false
    /// The bytes of the body that were reported.
    private var sent = 0
    private var upload: CurlUpload
    private var head = CurlHead()
    private var body = Data()
    /// The bytes of the body after decompression, those of a stream included.
    private var contentCount = 0
    private var failure: TransportError?

    /// - Parameters:
    ///   - request: The request, valid.
    ///   - timeout: How long to wait for the next byte.
    ///   - limit: The largest body, in bytes.
    ///   - obstacle: Why the request is not sent a second time; `nil` if it may be.
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

    /// Makes a call wait for the end.
    /// - Returns: Whether the exchange may begin; if it was cancelled, the call is resumed.
    func wait(_ call: CheckedContinuation<Outcome, Never>) -> Bool {
        let isOpen = waiter.withLock { waiter in
            guard case .none = waiter else { return false }
            waiter = .call(call)
            return true
        }
        if !isOpen { call.resume(returning: Self.cancelled) }
        return isOpen
    }

    /// Resumes the waiting call with `CancellationError`; has no effect on one that has ended, or has its head.
    func cancel() { _ = resume(Self.cancelled) }

    /// Whether a call waits for the end.
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

    /// - Returns: Whether the call has waited.
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
    /// - Returns: Whether the transfer goes on.
    func receive(line: String, count: Int) -> Bool {
        lastProgress = clock?.now
        let isTrailer = head.isComplete
        do throws(TransportError) {
            try head.receive(line, count: count)
            if isTrailer { return true }
            if head.isComplete { endsWithConnection = !head.isHTTP2 && response(body: Data()).endsWithConnection }
            if head.isComplete, incoming != nil, request.method != .head, HTTPStatus(head.status).isSuccess {
                try head.checkStream()
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

    /// How a part of the body is treated.
    enum Taking {
        case taken
        /// There is no room; libcurl keeps the part.
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

    /// Resumes the call with the head. It comes after the request's end, which the call would otherwise leave behind.
    private func deliverHead() {
        hasDeliveredHead = true
        let head = Result<HTTPResponse, any Error>.success(response(body: Data()))
        _ = resume(Outcome(result: head, metrics: nil, isHead: true, isSentAgain: connection.isSentAgain))
    }

    /// Whether the exchange waits for the app: to read what has come, or for bytes to send. No time limit applies. The
    /// app cannot read before it has the head, so a server that sends much before it reads the request does not wait
    /// for it.
    var isPaused: Bool { isFull && hasDeliveredHead || isStarved }

    /// There is room, or there are bytes.
    func endPause() {
        (isFull, isStarved) = (false, false)
        lastProgress = clock?.now
    }

    /// Goes to another position of the request's body.
    ///
    /// libcurl does that before it asks whether the request may be sent on another connection. If there was no response
    /// to it, the first connection has ended.
    func rewind(to position: Int) -> Bool {
        if upload.rewind(to: position) { return true }
        if head.status == 0 { failure = failure ?? connection.loss }
        return false
    }

    /// Whether the request may be sent on a connection.
    func begin(on ports: CurlKeptConnections.Ports) -> Bool {
        do throws(TransportError) {
            return try connection.begin(on: ports)
        } catch {
            failure = error
            return false
        }
    }

    /// Notes that the exchange has a connection, and whether bytes went over it.
    /// - Returns: Whether the transfer goes on.
    func advance(received: Int64, sent: Int64) -> Bool {
        // libcurl takes every end of the connection for the end of the body. This is called once more after it.
        if endsWithConnection { closingAlert = findClosingAlert?() }
        if isStreaming, hasNewPart { (receivedForParts, hasNewPart) = (received, false) }
        // Compressed bytes need not become any: blocks may be empty, and a file's name endless.
        guard received - receivedForParts - Int64(CurlHead.mostBytes) <= Int64(limit) else {
            let most = "\(limit) and \(CurlHead.mostBytes)"
            failure = tooLarge("found more bytes before decompression, expected at most \(most)")
            body = Data()
            return false
        }
        let moved = received + sent
        // What was sent contains the framing of chunks; what libcurl has may not be sent yet.
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

    /// The complete response. It may be a part if it ends with a connection of TLS of which nothing more is known.
    private var whole: HTTPResponse {
        var response = response(body: body)
        response.mayBeCut = endsWithConnection && closingAlert == nil
        return response
    }

    /// Why a body that libcurl takes for complete is not; `nil` if it can be.
    private func reasonForCut(count: Int) -> String? {
        if endsWithConnection, closingAlert == false, request.method != .head {
            return "found \(count) bytes and the end of the connection, expected the closing alert of TLS before it"
        }
        return head.headers.reasonForCutEncoding(count: count, content: contentCount)
    }
}

extension CurlExchange {
    /// The response, or the error of the transfer.
    /// - Parameters:
    ///   - code: How libcurl ended it.
    ///   - text: libcurl's text for that.
    ///   - received: The bytes of the body before decompression.
    ///   - proxyStatus: The status of a proxy's response to the request for a tunnel; 0 without such a request.
    ///   - hasAlert: Whether the peer has sent an alert of TLS.
    /// - Returns: The outcome for the call.
    func result(
        of code: CurlCode,
        text: String,
        received: Int,
        proxyStatus: Int,
        hasAlert: Bool
    ) -> Result<HTTPResponse, any Error> {
        if let failure { return .failure(failure) }
        if code == .ok, head.isComplete {
            guard let detail = reasonForCut(count: received) else { return .success(whole) }
            return .failure(TransportError(.brokenBody, detail: detail, response: response(body: body)))
        }
        // A server that needs no more of the request ends its stream after a whole response (RFC 9113 §8.1), or its
        // connection.
        if [.http2Stream, .sendFailed, .receiveFailed].contains(code), hasAll(received: received) {
            return .success(response(body: body))
        }
        if request.opensWebSocket {
            // The response of a server that opens none, a 401 for example. libcurl keeps the end of its head.
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
            hasAlert: hasAlert
        )
        return .failure(TransportError(evidence))
    }

    /// Ends an exchange over whose connection no byte went for too long. A server that needs no more of the request may
    /// not read the rest.
    /// - Parameter received: The bytes of the body before decompression.
    /// - Returns: The response if all of it has come, else the error.
    func resultAtTimeLimit(received: Int) -> Result<HTTPResponse, any Error> {
        if hasAll(received: received) { return .success(response(body: body)) }
        let error = TransportError(
            .timedOut,
            detail: "found no byte within \(timeout.formattedSeconds)",
            response: head.isComplete ? response(body: body) : nil
        )
        return .failure(error)
    }

    /// Whether the head says that the whole body has come. A part for which there is no room is with libcurl.
    private func hasAll(received: Int) -> Bool {
        failure == nil && !isFull && head.isWhole(count: received) && reasonForCut(count: received) == nil
    }
}

extension Duration {
    /// A time that can be waited for: from a millisecond to some thirty years.
    var clamped: Duration { min(max(self, .milliseconds(1)), .seconds(1_000_000_000)) }
}

/// The time as the engine has read it last, once for all events that it then handles.
final class CurlClock {
    private(set) var now = ContinuousClock.now

    func update() { now = .now }
}
#endif
