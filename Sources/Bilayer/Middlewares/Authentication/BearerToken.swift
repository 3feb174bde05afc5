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
    /// How long the token is valid from now on, as the server says; `nil` for unknown. A refresh that returns zero or
    /// less says nothing about the lifetime. An app that stores a token stores the date of its end, and makes it again
    /// with the rest.
    public let expiresIn: Duration?
    /// What the next token is requested with (RFC 6749 §6); `nil` if the server has given none.
    public let refreshToken: String?

    /// Makes a token.
    /// - Parameters:
    ///   - value: The text.
    ///   - expiresIn: How long it is valid, `expires_in` of RFC 6749 §5.1.
    ///   - refreshToken: What the next token is requested with, `refresh_token` of RFC 6749 §5.1.
    public init(_ value: String, expiresIn: Duration? = nil, refreshToken: String? = nil) {
        self.value = value
        self.expiresIn = expiresIn
        self.refreshToken = refreshToken
    }
}

extension BearerToken: Redacted {
    /// The type's name: a token is a secret.
    public var description: String { "BearerToken" }
}
