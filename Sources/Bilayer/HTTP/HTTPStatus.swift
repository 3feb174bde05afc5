/// The status code of a response (RFC 9110 §15).
///
/// ```swift
/// if response.status == 404 { print("nothing there") }
/// guard response.status.isSuccess else { return }
/// print(response.status)                               // 404 Not Found
/// ```
public struct HTTPStatus: Sendable, Hashable {
    /// The number of the status, usually of three digits.
    public let code: Int

    /// Makes a status. Any number is accepted, because servers also send unregistered ones.
    public init(_ code: Int) { self.code = code }

    /// 1xx: an interim response.
    public var isInformational: Bool { (100...199).contains(code) }
    /// 2xx: success.
    public var isSuccess: Bool { (200...299).contains(code) }
    /// 3xx: a redirection.
    public var isRedirection: Bool { (300...399).contains(code) }
    /// 4xx: an error of the client.
    public var isClientError: Bool { (400...499).contains(code) }
    /// 5xx: an error of the server.
    public var isServerError: Bool { (500...599).contains(code) }
}

extension HTTPStatus: ExpressibleByIntegerLiteral {
    /// Makes a status from a literal.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension HTTPStatus: CustomStringConvertible {
    /// The code, followed by its ``reasonPhrase`` if there is one: `404 Not Found`.
    public var description: String { reasonPhrase.isEmpty ? "\(code)" : "\(code) \(reasonPhrase)" }

    /// The registered phrase for a common code; empty for any other code.
    public var reasonPhrase: String { Self.phrases[code] ?? "" }

    /// The phrases of the IANA registry for common codes.
    private static let phrases: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 103: "Early Hints",
        200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
        205: "Reset Content", 206: "Partial Content", 207: "Multi-Status",
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        409: "Conflict", 410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
        414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 423: "Locked", 424: "Failed Dependency",
        425: "Too Early", 426: "Upgrade Required", 428: "Precondition Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 451: "Unavailable For Legal Reasons",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 507: "Insufficient Storage",
        511: "Network Authentication Required",
    ]
}
