/// The names of further header fields that the cache uses.
enum CacheField {
    static let age: HTTPHeaders.Name = "Age"
    static let expires: HTTPHeaders.Name = "Expires"
    static let pragma: HTTPHeaders.Name = "Pragma"
    static let range: HTTPHeaders.Name = "Range"
    static let vary: HTTPHeaders.Name = "Vary"
    static let connection: HTTPHeaders.Name = "Connection"

    /// The conditions of RFC 9110 §13.1. A request that has one of these fields already goes to the server unchanged.
    static let conditions: [HTTPHeaders.Name] = [
        .ifNoneMatch, .ifModifiedSince, "If-Match", "If-Unmodified-Since", "If-Range",
    ]

    /// Fields that are never stored: the fields of a connection (RFC 9111 §3.1), and cookies, which belong to one
    /// response.
    static let unstored: [HTTPHeaders.Name] = [
        connection, "Keep-Alive", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade", "Proxy-Authenticate",
        "Proxy-Authentication-Info", .proxyAuthorization, "Proxy-Status", .setCookie, "Set-Cookie2",
    ]

    /// Fields that describe the stored body, so a 304 does not change them (RFC 9111 §3.2).
    static let ofBody: [HTTPHeaders.Name] = [.contentLength, .contentEncoding, .contentType, "Content-Range"]
}
