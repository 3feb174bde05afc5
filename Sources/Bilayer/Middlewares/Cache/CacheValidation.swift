import Foundation

/// The validation of stored responses by the server (RFC 9111 §4.3).
enum CacheValidation {
    /// Returns the request with conditions; `nil` if there are none.
    ///
    /// The conditions are the entity tags of all entries (§4.3.1), that of the selected entry first, and the
    /// `Last-Modified` of the selected entry.
    static func conditional(
        _ request: HTTPRequest,
        _ entries: [HTTPCacheEntry],
        selected: HTTPCacheEntry?
    ) -> HTTPRequest? {
        var request = request
        var tags: [String] = []
        for entry in [selected].compactMap(\.self) + entries {
            guard let tag = entry.response.headers[.eTag], isTag(tag), !tags.contains(tag) else { continue }
            tags.append(tag)
        }
        if !tags.isEmpty { request.headers[.ifNoneMatch] = tags.joined(separator: ", ") }
        // A server that reads the tags ignores the date (RFC 9110 §13.1.3).
        if let date = selected?.response.headers[.lastModified], HTTPDate.parse(date) != nil {
            request.headers[.ifModifiedSince] = date
        }
        let hasCondition = !tags.isEmpty || request.headers[.ifModifiedSince] != nil
        return hasCondition ? request : nil
    }

    /// Returns the stored response that a 304 confirms (§4.3.4); `nil` if the 304 confirms none of the stored
    /// responses.
    static func confirmed(
        by response: HTTPResponse,
        of entries: [HTTPCacheEntry],
        selected: HTTPCacheEntry?
    ) -> HTTPCacheEntry? {
        let known = [selected].compactMap(\.self) + entries
        if let tag = response.headers[.eTag] {
            return known.first { isSame(tag, $0.response.headers[.eTag]) }
        }
        if let date = response.headers[.lastModified] {
            return known.first { $0.response.headers[.lastModified] == date }
        }
        // A 304 without a validator confirms a stored response only if exactly one stored response was offered.
        let offered = entries.filter { $0 == selected || $0.response.headers[.eTag].map(isTag) ?? false }
        return offered.count == 1 ? offered.first : nil
    }

    /// Whether the response to a `HEAD` describes the stored response (§4.3.5).
    static func describes(_ head: HTTPResponse, _ entry: HTTPCacheEntry) -> Bool {
        let stored = entry.response.headers
        for name in [.eTag, .lastModified] as [HTTPHeaders.Name] {
            if let value = head.headers[name], value != stored[name] { return false }
        }
        guard let length = head.headers[.contentLength], head.headers[.contentEncoding] == stored[.contentEncoding]
        else { return true }
        return length == stored[.contentLength] ?? "\(entry.response.body.count)"
    }

    /// Whether two tags are equal by the comparison that the server uses (RFC 9110 §13.1.2): a weak tag equals the
    /// strong one.
    ///
    /// RFC 9111 §4.3.4 requires equal strong tags. But nginx sends a weak tag with a compressed response, and the
    /// strong tag with the 304 that confirms this response.
    private static func isSame(_ tag: String, _ other: String?) -> Bool {
        other.map { opaque(tag) == opaque($0) } ?? false
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// Whether a tag is quoted (RFC 9110 §8.8.3). A malformed tag could change the meaning of the list in
    /// `If-None-Match`.
    private static func isTag(_ tag: String) -> Bool {
        let opaque = opaque(tag)
        return opaque.count >= 2 && opaque.hasPrefix("\"") && opaque.hasSuffix("\"")
            && !opaque.dropFirst().dropLast().contains("\"")
    }
}
