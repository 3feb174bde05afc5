import Foundation

extension URL {
    /// The address with a path and a query appended to its text. That takes a fraction of the time of `URLComponents`.
    /// - Parameters:
    ///   - path: An escaped path without a leading slash.
    ///   - query: An escaped query.
    /// - Returns: The address; `nil` if appending is not enough: if this address is relative, has a query, a fragment
    ///   or empty segments, or if an escape is invalid.
    func appending(_ path: some StringProtocol, _ query: String?) -> URL? {
        let base = absoluteString
        guard baseURL == nil, let start = base.plainPathStart, !base.hasIncompleteEscape else { return nil }
        guard !path.hasIncompleteEscape, query?.hasIncompleteEscape != true else { return nil }
        var text = base
        while text.utf8.count > start, text.utf8.last == UInt8(ascii: "/") { text.removeLast() }
        text.reserveCapacity(text.utf8.count + 2 + path.utf8.count + (query?.utf8.count ?? 0))
        if !path.isEmpty || text.utf8.count == start { text += "/" }
        text += path
        if let query {
            text += "?"
            text += query
        }
        return URL(string: text)
    }
}

extension String {
    /// The number of UTF-8 bytes before the path of an absolute address without query, fragment and empty segments.
    fileprivate var plainPathStart: Int? {
        let scheme = utf8.prefix { $0 != UInt8(ascii: ":") }.count
        let mark = utf8.dropFirst(scheme).prefix(3)
        guard mark.elementsEqual("://".utf8) else { return nil }
        var length = scheme + mark.count
        var last = UInt8(ascii: "/")
        var slash: Int?
        for byte in utf8.dropFirst(length) {
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { return nil }
            if byte == UInt8(ascii: "/") {
                if last == byte { return nil }
                slash = slash ?? length
            }
            last = byte
            length += 1
        }
        return slash ?? length
    }
}
