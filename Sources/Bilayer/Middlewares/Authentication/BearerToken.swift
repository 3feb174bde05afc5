/// A token, and how long it is valid.
///
/// ```swift
/// let token = BearerToken(
///     "2YotnFZFEjr1zCsicMWpAA",
///     expiresIn: .seconds(3600),
///     refreshToken: "tGzv3JOkF0XG5Qx2TlKWIA"
/// )
/// ```
public struct BearerToken: Sendable, Hashable {
    /// The text after `Bearer` (RFC 6750 §2.1).
    public let value: String
    /// The lifetime of the token from now on, as the server states it; `nil` if the lifetime is unknown. A refresh that
    /// returns zero or less also means that the lifetime is unknown. An app that keeps a token on disk stores its date
    /// of expiry. Later the app makes the token again, with the remaining time.
    public let expiresIn: Duration?
    /// The secret with which the next token is requested (RFC 6749 §6); `nil` if the server has sent none.
    public let refreshToken: String?

    /// Makes a token.
    /// - Parameters:
    ///   - value: The text.
    ///   - expiresIn: How long the token is valid, `expires_in` of RFC 6749 §5.1.
    ///   - refreshToken: The secret with which the next token is requested, `refresh_token` of RFC 6749 §5.1.
    public init(_ value: String, expiresIn: Duration? = nil, refreshToken: String? = nil) {
        self.value = value
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}

extension BearerToken: Redacted {
    /// Only the type's name, because a token is a secret.
    public var description: String { "BearerToken" }
}
