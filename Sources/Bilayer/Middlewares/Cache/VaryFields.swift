/// A digest of the request's fields that a response names in `Vary` (RFC 9111 §4.1). The values themselves are not
/// kept, because they can be secrets. A digest of the address follows if the address has escapes, because the addresses
/// of one ``HTTPCacheKey`` may have different responses.
enum VaryFields {
    /// Returns the digest of a request's fields. If the address has escapes, a period and a digest of the address
    /// follow. Returns `nil` if `Vary` has `*`, which no request matches.
    static func digest(of request: HTTPRequest, for response: HTTPResponse) -> String? {
        let names = names(in: response)
        if names.contains("*") { return nil }
        let fields = SHA256.hexadecimal(of: text(of: request, fields: names))
        let spelling = request.url.cacheSpellingDigest
        return spelling.isEmpty ? fields : "\(fields).\(spelling)"
    }

    /// The digest of the address in a variant; empty if the address has no escapes.
    static func spellingDigest(in variant: String) -> Substring {
        variant.firstIndex(of: ".").map { variant[$0...].dropFirst() } ?? ""
    }

    /// Some fields of a request, with names in lower case, as a text that is equal for equal fields. The text can
    /// contain secrets.
    static func text(of request: HTTPRequest, fields names: [String]) -> String {
        Set(names).sorted()
            .map { name in
                let value = request.headers[HTTPHeaders.Name(name)]
                let known = lists.contains(name) ? value.map(normalized) : value.map(\.trimmingBlanks)
                return "\(name):\(known ?? "\u{0}")"
            }
            .joined(separator: "\n")
    }

    /// Whether the responses to several users may differ, because `Vary` names a field for credentials.
    static func dependsOnUser(_ response: HTTPResponse) -> Bool {
        // The names are compared as they were sent, because capitals separate the words of a name.
        (response.headers[CacheField.vary] ?? "").listElements.contains { HTTPHeaders.Name($0).isSecret }
    }

    /// The names that `Vary` lists, in lower case.
    static func names(in response: HTTPResponse) -> [String] {
        (response.headers[CacheField.vary] ?? "").listElements.map { $0.lowercased() }
    }

    /// The fields of a request that are lists, so that space and empty elements have no meaning (RFC 9110 §5.6.1). The
    /// values of other fields are compared as they are, without the space around them.
    private static let lists: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "connection", "expect",
        "forwarded", "if-match", "if-none-match", "prefer", "te", "trailer", "upgrade", "via", "x-forwarded-for",
    ]

    /// A value without the space that has no meaning in a list.
    private static func normalized(_ value: String) -> String {
        value.listElements.joined(separator: ",")
    }
}
