import Foundation

/// What proves that a part of a file belongs to the file that the server has now: the value of `If-Range`
/// (RFC 9110 §13.1.5).
struct EntityValidator: Sendable, Hashable {
    let value: String

    init(value: String) { self.value = value }

    /// A strong entity tag, or a date of change that is older than the response (RFC 9110 §8.8.2.2); `nil` if there is
    /// neither, or if the body was compressed, so that its bytes are not those of the file.
    init?(_ response: HTTPResponse) {
        guard response.headers[.contentEncoding] == nil else { return nil }
        if let tag = response.headers["ETag"], !tag.hasPrefix("W/") {
            value = tag
        } else if let text = response.headers["Last-Modified"], let changed = HTTPDate.parse(text),
            let sent = response.headers[.date].flatMap(HTTPDate.parse), sent.timeIntervalSince(changed) >= 1
        {
            value = text
        } else {
            return nil
        }
    }
}

/// `Content-Range: bytes 5-9/10`, or `bytes */10` (RFC 9110 §14.4).
struct ContentRange: Sendable, Hashable {
    let first: Int?
    let total: Int?

    init?(_ response: HTTPResponse?) {
        guard let field = response?.headers["Content-Range"], field.hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        first = parts[0].split(separator: "-").first.flatMap { Int($0) }
        total = Int(parts[1])
        if first == nil, parts[0] != "*" { return nil }
    }
}
