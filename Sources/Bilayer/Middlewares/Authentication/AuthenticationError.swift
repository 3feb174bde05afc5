/// Why a request has no token.
public struct AuthenticationError: Error, Sendable {
    /// The kind of failure.
    public let kind: Kind
    /// The error of the refresh, or of the last one before ``Kind-swift.struct/tooManyRefreshes``; it may hold secrets,
    /// so do not print it.
    public let underlyingError: (any Error)?
    private let detail: String

    /// The status of the server's response to the refresh; `nil` if there was none, for example without a network.
    ///
    /// An app that signs its user out when the session has ended looks here: RFC 6749 §5.2 has 400 and 401 for a
    /// refresh token that is not valid any more.
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
    /// The kinds of failures. More may come: compare with the ones you handle and leave the rest to a default.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        /// The meaning of the kind, in a few words.
        public let description: String

        private init(_ description: String) { self.description = description }

        /// The closure that fetches a token threw an error.
        public static let refreshFailed = Kind("the refresh of the token failed")
        /// The limit for refreshes in a period is reached.
        public static let tooManyRefreshes = Kind("too many refreshes of the token")
        /// The refresh's own request goes through the tokens that it refreshes.
        public static let refreshNeedsItself = Kind("the refresh of the token asks itself for a token")
        /// The user of the call has signed out, or another one has signed in, while the call was in flight
        /// (``BearerTokens/replace(with:)``). The request was not sent for the other user.
        public static let userChanged = Kind("the user has changed")
        /// The user name cannot be sent (RFC 7617 §2).
        public static let invalidUserName = Kind("the user name cannot be sent")
    }
}

extension AuthenticationError: Redacted {
    /// The kind and what was found.
    public var description: String { "\(kind): \(detail)" }
}
