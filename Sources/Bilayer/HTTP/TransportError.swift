/// The error of a request that received no complete response, or of a WebSocket that failed. Each fault has one
/// ``Kind-swift.struct`` on all platforms, although their networking layers use different codes.
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
    /// What was found and what was expected; `nil` if unknown. It never contains a payload value or a secret.
    public let detail: String?
    /// The error that belongs to the fault, such as the `URLError` of ``URLSessionTransport``, or that of a file. Do
    /// not print it: its `userInfo` can contain the full address.
    public let underlyingError: (any Error)?
    /// The received part of the response: status, headers and the bytes of the body so far. `nil` if the head was not
    /// complete. Also `nil` for some faults after the head, such as a ``Deadline`` or a fault of a stream.
    ///
    /// The body never exceeds the limit of the transport. If the server's body exceeded that limit, this body is empty.
    public let response: HTTPResponse?
    /// The identity of the attempt that failed. It is used to find the request of the attempt.
    var attempt: AttemptIdentity?

    /// Makes an error.
    /// - Parameters:
    ///   - kind: The kind of fault.
    ///   - detail: What was found and what was expected, without payload values and secrets.
    ///   - underlyingError: The error that belongs to the fault, such as that of the networking layer.
    ///   - response: The received part of the response, if its head was complete.
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
    /// The kinds of faults. More can be added, so compare with the kinds that you handle, and treat all others alike.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The meaning of the kind, in a few words.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The device is offline.
        public static let notConnected = Kind("not connected to a network")
        /// No address was found for the name of the host or of a proxy.
        public static let cannotFindHost = Kind("cannot find the host")
        /// No connection was made: the host or a proxy refused it, or could not be reached.
        public static let cannotConnect = Kind("cannot connect to the host")
        /// No byte was received within the timeout, or another time limit has passed, such as a ``Deadline`` or an
        /// ``AttemptDeadline``.
        public static let timedOut = Kind("timed out")
        /// The connection was lost before the head of the response was complete, or the connection of a WebSocket was
        /// lost or is closed.
        public static let connectionLost = Kind("connection lost")
        /// The head was received, but the body was cut, or could not be read (bad chunk, bad compression).
        public static let brokenBody = Kind("broken response body")
        /// The received bytes are not HTTP, or a message of a WebSocket is invalid, such as a text that is not UTF-8.
        public static let malformedResponse = Kind("malformed response")
        /// The head or the body, or a message of a WebSocket, exceeds the limit of the transport or of its reader.
        public static let responseTooLarge = Kind("response too large")
        /// The number of redirects exceeds the limit.
        public static let tooManyRedirects = Kind("too many redirects")
        /// No secure connection was made: a certificate is invalid, or the handshake failed.
        public static let secureConnectionFailed = Kind("secure connection failed")
        /// The request cannot be sent, for example because ``HTTPRequest/validate()`` refuses it.
        public static let invalidRequest = Kind("invalid request")
        /// The body of the request could not be read. For example, a file is missing, a stream has fewer bytes than
        /// announced, or was already sent.
        public static let bodyUnavailable = Kind("request body unavailable")
        /// The transport lacks a feature that the request or the response needs, such as
        /// ``HTTPRequest/opensWebSocket`` with an old libcurl, or an encoding of the body.
        public static let unsupported = Kind("not supported")
        /// Another fault: see ``TransportError/underlyingError``.
        public static let other = Kind("transport failed")
    }
}

extension TransportError {
    /// The error of a request for a WebSocket to ``URLSessionTransport`` on Linux, which opens none there.
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
    /// Whether the fault concerns the host, so that another host can succeed. False for faults of the request, the
    /// transport or the device, and for a response that is too large.
    var concernsHost: Bool {
        ![.invalidRequest, .bodyUnavailable, .unsupported, .responseTooLarge, .notConnected].contains(self)
    }
}
