import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The error of a request that has no valid token, or whose user name or password cannot be sent.
public struct AuthenticationError: Error, Sendable {
    /// The kind of failure.
    public let kind: Kind
    /// The error that the closure of the refresh threw, for ``Kind-swift.struct/refreshFailed``. For
    /// ``Kind-swift.struct/tooManyRefreshes``, the error of the last refresh that failed and was counted
    /// (``BearerTokens``); `nil` if none failed, and only tokens were refused. `nil` for all other kinds. The error may
    /// hold secrets, so do not print it.
    public let underlyingError: (any Error)?
    private let detail: String
    /// Whether the attempt has sent no request with a token before the error.
    private(set) var isBeforeSending = false

    /// The status of the server's response to the refresh; `nil` if there was no response, for example without a
    /// network. Also `nil` if the closure of the refresh threw another error than a ``CallError``.
    ///
    /// 400 (RFC 6749 §5.2), or 401 from some servers, means that the refresh token is refused. Use the status to sign
    /// the user out when the session has ended.
    ///
    /// ```swift
    /// func hasSessionEnded(_ error: CallError) -> Bool {
    ///     let refresh = (error.underlyingError as? AuthenticationError)?.status
    ///     return refresh == 400 || refresh == 401
    /// }
    /// ```
    public var status: HTTPStatus? { (underlyingError as? CallError)?.status }

    init(_ kind: Kind, _ detail: String, underlyingError: (any Error)? = nil) {
        self.kind = kind
        self.detail = detail
        self.underlyingError = underlyingError
    }
}

extension AuthenticationError {
    /// The kinds of failures. Later versions may add kinds: compare with the kinds that you handle, and have a default
    /// for the rest.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The meaning of the kind, in a few words.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The closure that fetches a token threw an error.
        public static let refreshFailed = Kind("the refresh of the token failed")
        /// The limit of bad refreshes in a period is reached (``BearerTokens``).
        public static let tooManyRefreshes = Kind("too many refreshes of the token")
        /// A request of the refresh's closure needs a token of the same ``BearerTokens``, and was not sent.
        public static let refreshNeedsItself = Kind("the refresh of the token asks itself for a token")
        /// The user of the call has signed out, or another user has signed in, while the call was in flight
        /// (``BearerTokens/replace(with:)``). The request was not sent for the other user.
        public static let userChanged = Kind("the user has changed")
        /// The user name or the password cannot be sent (RFC 7617 §2).
        public static let invalidUserName = Kind("the user name or the password cannot be sent")
    }
}

extension AuthenticationError {
    /// Whether the refresh failed because its server was unreachable or broken. False if the server refused the
    /// refresh.
    var isOfServerOutOfReach: Bool {
        if isWithoutResponse || fault.map(RetryPolicy.retriedFaults.contains) == true { return true }
        if let inner = cause as? AuthenticationError { return inner.isOfServerOutOfReach }
        return call?.status.map(CacheRules.isError) ?? false
    }

    /// Whether the refresh failed because it received no response of the server, not even the head of a response. Also
    /// true if the refresh needs a token of other ``BearerTokens``, and the refresh of that token failed so.
    var isWithoutResponse: Bool {
        if call?.status != nil { return false }
        if let inner = cause as? AuthenticationError { return inner.isWithoutResponse }
        return cause is any UnsentRequestError || fault.map(Self.faultsWithoutResponse.contains) == true
    }

    /// Faults after which the refresh token may still be valid, because the server of the refresh may not have received
    /// the token. Includes TLS failures: a captive portal (a network with a login page) causes them.
    private static let faultsWithoutResponse = RetryPolicy.retriedFaults
        .subtracting([.brokenBody])
        .union([.secureConnectionFailed])

    /// The error of the refresh, or of a refresh inside it, if its request was not sent.
    var unsentRequest: (any UnsentRequestError)? {
        cause as? any UnsentRequestError ?? (cause as? AuthenticationError)?.unsentRequest
    }

    /// The ``CallError`` that shows why the refresh failed: that of the refresh or, if the refresh had no response,
    /// that of a call inside it.
    private var call: CallError? {
        var call = underlyingError as? CallError
        while call?.status == nil, let inner = call?.underlyingError as? CallError { call = inner }
        return call
    }

    private var cause: (any Error)? { call?.underlyingError ?? underlyingError }

    /// The transport fault that ended the refresh. A `URLError` counts too, for a closure that calls `URLSession`
    /// itself.
    private var fault: TransportError.Kind? {
        if let fault = cause as? TransportError { return fault.kind }
        return (cause as? URLError).map { TransportError($0, announced: nil, partial: nil, count: nil).kind }
    }
}

extension AuthenticationError: ReplaceableError {
    /// A copy of this error that is marked as the error of an attempt that has sent no request with a token.
    var beforeSending: AuthenticationError {
        var error = self
        error.isBeforeSending = true
        return error
    }

    var isReplaceable: Bool { isOfServerOutOfReach }
}

extension AuthenticationError: Redacted {
    /// The kind of the error, and a detail of the failure.
    public var description: String { "\(kind): \(detail)" }
}
