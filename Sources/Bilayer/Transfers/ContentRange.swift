/// The value of `Content-Range`: `bytes 5-9/10`, `bytes 5-9/*`, or `bytes */10` (RFC 9110 §14.4).
struct ContentRange: Sendable, Hashable {
    /// The offsets of the first and the last byte; `nil` for `*`.
    let bytes: ClosedRange<Int>?
    /// The length of the whole file; `nil` if it is unknown.
    let total: Int?

    /// - Returns: The value; `nil` if the response has no valid field.
    init?(_ response: HTTPResponse?) {
        guard let field = response?.headers["Content-Range"], field.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        total = Int(parts[1])
        if total == nil, parts[1] != "*" { return nil }
        if parts[0] == "*" {
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, first <= last, last < total ?? .max
        else { return nil }
        bytes = first...last
    }
}
