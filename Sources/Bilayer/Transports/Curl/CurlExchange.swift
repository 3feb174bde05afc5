#if os(Linux)
import Foundation

/// One request and its response. Collects head and body on the engine's thread, and resumes the waiting call exactly
/// once: when the transfer has ended, or when the call is cancelled.
// Sendable: `waiter` is touched under `lock` alone, and every other variable by the engine's thread alone.
final class CurlExchange: @unchecked Sendable {
    /// How an exchange ended.
    struct Outcome: Sendable {
        let result: Result<HTTPResponse, any Error>
        let metrics: TransferMetrics?
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
    private let limit: Int
    private let lock = NSLock()
    private var waiter = Waiter.none

    /// The identity of the transfer; `nil` while there is none.
    var transfer: UInt?
    /// The time that the engine has read last.
    var clock: CurlClock?
    /// When a byte went over the connection; `nil` while there is no connection.
    private(set) var lastProgress: ContinuousClock.Instant?
    /// Whether the call has ended, but libcurl still looks up a name for it.
    var isAbandoned = false
    private var moved: Int64 = 0
    private var upload: CurlUpload
    private var head = CurlHead()
    private var body = Data()
    private var failure: TransportError?

    /// - Parameters:
    ///   - request: The request, valid.
    ///   - timeout: How long to wait for the next byte.
    ///   - limit: The largest body, in bytes.
    init(_ request: HTTPRequest, timeout: Duration, limit: Int) {
        self.request = request
        self.timeout = timeout.clamped
        self.limit = limit
        upload = CurlUpload(request.body ?? Data())
        let url = request.url
        origin = "\(url.scheme ?? "")://\(url.host() ?? ""):\(url.port ?? 0)".lowercased()
    }

    /// Makes a call wait for the end.
    /// - Returns: Whether the exchange may begin; if it was cancelled, the call is resumed.
    func wait(_ call: CheckedContinuation<Outcome, Never>) -> Bool {
        let isOpen = lock.withLock {
            guard case .none = waiter else { return false }
            waiter = .call(call)
            return true
        }
        if !isOpen { call.resume(returning: Self.cancelled) }
        return isOpen
    }

    /// Resumes the waiting call with `CancellationError`; has no effect on one that has ended.
    func cancel() { end(Self.cancelled) }

    /// Whether a call waits for the end.
    var isWaitedFor: Bool {
        lock.withLock { if case .call = waiter { true } else { false } }
    }

    /// Resumes the call if it still waits.
    func end(_ outcome: Outcome) {
        let previous = lock.withLock {
            defer { waiter = .ended }
            return waiter
        }
        if case .call(let call) = previous { call.resume(returning: outcome) }
    }

    private static let cancelled = Outcome(result: .failure(CancellationError()), metrics: nil)
}

// Events, on the engine's thread.
extension CurlExchange {
    /// Takes a line of a head.
    /// - Returns: Whether the transfer goes on.
    func receive(line: String, count: Int) -> Bool {
        lastProgress = clock?.now
        guard !head.isComplete else { return true }
        do throws(TransportError) {
            try head.receive(line, count: count)
            if head.isComplete, request.method != .head, let announced = head.announcedCount {
                guard announced <= limit else { throw tooLarge("\(announced) announced") }
                body.reserveCapacity(min(announced, 1 << 20))
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Takes a part of the body.
    /// - Returns: Whether the transfer goes on.
    func receive(body part: UnsafeRawBufferPointer) -> Bool {
        lastProgress = clock?.now
        guard part.count <= limit - body.count else {
            failure = tooLarge("more")
            body = Data()
            return false
        }
        // Bound: the part's own address and count.
        unsafe body.append(contentsOf: part)
        return true
    }

    /// Copies the next bytes of the request's body.
    func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        // Bound: passed on.
        unsafe upload.fill(room)
    }

    /// Goes to another position of the request's body.
    func rewind(to position: Int) -> Bool { upload.rewind(to: position) }

    /// Notes that the exchange has a connection, and whether bytes went over it.
    func advance(to moved: Int64) {
        guard lastProgress == nil || moved != self.moved else { return }
        self.moved = moved
        lastProgress = clock?.now
    }

    private func tooLarge(_ found: String) -> TransportError {
        TransportError(
            .responseTooLarge,
            detail: "found \(found), expected at most \(limit) bytes",
            response: response(body: Data())
        )
    }

    private func response(body: Data) -> HTTPResponse {
        HTTPResponse(status: HTTPStatus(head.status), headers: head.headers, body: body, url: request.url)
    }
}

extension CurlExchange {
    /// The response, or the error of the transfer.
    /// - Parameters:
    ///   - code: How libcurl ended it.
    ///   - text: libcurl's text for that.
    ///   - received: The bytes of the body before decompression.
    ///   - proxyStatus: What a proxy answered to the request for a tunnel; 0 if none was asked.
    /// - Returns: The outcome for the call.
    func result(of code: CurlCode, text: String, received: Int, proxyStatus: Int) -> Result<HTTPResponse, any Error> {
        if let failure { return .failure(failure) }
        if code == .ok, head.isComplete { return .success(response(body: body)) }
        let evidence = CurlEvidence(
            code: code,
            text: text,
            partial: head.isComplete ? response(body: body) : nil,
            announced: request.method == .head ? nil : head.announcedCount,
            received: received,
            proxyStatus: proxyStatus
        )
        return .failure(TransportError(evidence))
    }

    /// The error of an exchange over whose connection no byte went for too long.
    var timeoutError: TransportError {
        TransportError(
            .timedOut,
            detail: "found no byte within \(timeout.formattedSeconds)",
            response: head.isComplete ? response(body: body) : nil
        )
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
