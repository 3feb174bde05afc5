/// The names of the header fields that only caches read, and the reading of lists in them.
enum CacheField {
    static let age: HTTPHeaders.Name = "Age"
    static let expires: HTTPHeaders.Name = "Expires"
    static let pragma: HTTPHeaders.Name = "Pragma"
    static let range: HTTPHeaders.Name = "Range"
    static let vary: HTTPHeaders.Name = "Vary"
    static let connection: HTTPHeaders.Name = "Connection"

    /// The conditions of RFC 9110 §13.1. A request with one of these fields is a validation by the caller itself.
    static let conditions: [HTTPHeaders.Name] = [
        .ifNoneMatch, .ifModifiedSince, "If-Match", "If-Unmodified-Since", "If-Range",
    ]

    /// Fields that are never stored: the fields of a connection (RFC 9111 §3.1), and cookies, which belong to one
    /// response.
    static let unstored: [HTTPHeaders.Name] = [
        connection, "Keep-Alive", "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade", "Proxy-Authenticate",
        "Proxy-Authentication-Info", "Proxy-Authorization", "Proxy-Status", .setCookie, "Set-Cookie2",
    ]

    /// Fields that describe the stored body, so a 304 does not change them (RFC 9111 §3.2).
    static let ofBody: [HTTPHeaders.Name] = [.contentLength, .contentEncoding, .contentType, "Content-Range"]

    /// The elements of a list field (RFC 9110 §5.6.1), without space around them; commas in quotes do not separate.
    ///
    /// If a quote has no end, every comma separates, so that a directive behind the quote counts.
    static func elements(of text: String) -> [String] {
        var parts = [Substring.UnicodeScalarView()]
        var isQuoted = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == ",", !isQuoted {
                parts.append(Substring.UnicodeScalarView())
                continue
            }
            if isEscaped {
                isEscaped = false
            } else if scalar == "\"" {
                isQuoted.toggle()
            } else {
                isEscaped = isQuoted && scalar == "\\"
            }
            parts[parts.count - 1].append(scalar)
        }
        let split = isQuoted ? text.unicodeScalars.split(separator: ",") : parts
        return split.map { trimmed(String(Substring($0))) }.filter { !$0.isEmpty }
    }

    /// The text without space and tab at both ends.
    static func trimmed(_ text: String) -> String {
        let start = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }
        let kept = start.reversed().drop { $0 == 0x20 || $0 == 0x09 }.reversed()
        return String(decoding: Array(kept), as: UTF8.self)
    }
}
