/// The error of a request without a complete response. A fault has one ``Kind-swift.struct`` on all platforms, though
/// their networking layers use different codes.
///
/// ```swift
/// do {
///     let response = try await URLSessionTransport().process(request)
/// } catch let error as TransportError where error.kind == .timedOut {
///     showRetryButton()
/// }
/// ```
public struct TransportError: Error, Sendable {
    /// The kind of fault.
    public let kind: Kind
    /// What was found and expected, if known; never a payload value or a secret.
    public let detail: String?
    /// The error of the networking layer: a `URLError` with ``URLSessionTransport``, which may hold the full address
    /// in its `userInfo`: do not print it.
    public let underlyingError: (any Error)?
    /// The received part of the response: status, fields and the bytes of the body so far. `nil` if its head was not
    /// complete.
    ///
    /// A body is never larger than the transport's limit. If the limit was exceeded, the body is empty.
    public let response: HTTPResponse?
    /// The attempt that failed, to find its request.
    var attempt: AttemptIdentity?

    /// Makes an error.
    /// - Parameters:
    ///   - kind: The kind of fault.
    ///   - detail: What was found and expected, without payload values and secrets.
    ///   - underlyingError: The error of the networking layer.
    ///   - response: What came of the response, if its head was complete.
    public init(
        _ kind: Kind,
        detail: String? = nil,
        underlyingError: (any Error)? = nil,
        response: HTTPResponse? = nil
    ) {
        self.kind = kind
        self.detail = detail
        self.underlyingError = underlyingError
        self.response = response
    }
}

extension TransportError {
    /// The kinds of faults. More may come: compare with the ones you handle and leave the rest to a default.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The meaning of the kind, in a few words.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The device is offline.
        public static let notConnected = Kind("not connected to a network")
        /// No address was found for the host's name.
        public static let cannotFindHost = Kind("cannot find the host")
        /// The host refused the connection.
        public static let cannotConnect = Kind("cannot connect to the host")
        /// No byte was received within the time limit.
        public static let timedOut = Kind("timed out")
        /// The connection was lost before the response was complete.
        public static let connectionLost = Kind("connection lost")
        /// The head was received; the body was cut short or could not be read (bad chunk, bad compression).
        public static let brokenBody = Kind("broken response body")
        /// The received bytes are not HTTP.
        public static let malformedResponse = Kind("malformed response")
        /// The body, or the head, is larger than the transport's limit.
        public static let responseTooLarge = Kind("response too large")
        /// The server redirected more often than the limit.
        public static let tooManyRedirects = Kind("too many redirects")
        /// There is no secure connection: a certificate is invalid, or the handshake failed.
        public static let secureConnectionFailed = Kind("secure connection failed")
        /// The request may not be sent: see ``HTTPRequest/validate()``.
        public static let invalidRequest = Kind("invalid request")
        /// The request's body could not be read: a file is missing, a stream is shorter than announced or was sent
        /// before.
        public static let bodyUnavailable = Kind("request body unavailable")
        /// The transport lacks a feature that the request needs: ``HTTPRequest/opensWebSocket`` with an old libcurl.
        public static let unsupported = Kind("not supported")
        /// Another fault: see ``TransportError/underlyingError``.
        public static let other = Kind("transport failed")
    }
}

extension TransportError {
    /// The error of a transport without WebSockets: `URLSession` on Linux.
    static let noWebSocket = TransportError(
        .unsupported,
        detail: "found a request for a WebSocket, which on Linux CurlTransport opens, and on Apple platforms URLSession"
    )
}

extension TransportError: Redacted {
    /// The kind and the detail: `response too large: expected at most 64.0 MB, found 70.1 MB`.
    public var description: String { detail.map { "\(kind): \($0)" } ?? kind.description }
}

extension TransportError.Kind {
    /// Whether the fault says something about the host, and another one may be better: not those of the request, of the
    /// device, and of the app's limits.
    var concernsHost: Bool {
        ![.invalidRequest, .bodyUnavailable, .unsupported, .responseTooLarge, .notConnected].contains(self)
    }
}
