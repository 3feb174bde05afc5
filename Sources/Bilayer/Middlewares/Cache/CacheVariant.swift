/// The fields of a request that `Vary` of a response names (RFC 9111 §4.1), as a digest: their values can be secrets.
enum CacheVariant {
    /// The digest of a request's fields; `nil` if `Vary` has `*`, which no request matches.
    static func digest(of request: HTTPRequest, for response: HTTPResponse) -> String? {
        let names = CacheField.elements(of: response.headers[CacheField.vary] ?? "").map { $0.lowercased() }
        guard !names.contains("*") else { return nil }
        let lines = Set(names).sorted()
            .map { name in
                let value = request.headers[HTTPHeaders.Name(name)].map(normalized)
                return "\(name):\(value ?? "\u{0}")"
            }
        return SHA256.hexadecimal(of: lines.joined(separator: "\n"))
    }

    /// A value without the space that has no meaning in a list.
    private static func normalized(_ value: String) -> String {
        CacheField.elements(of: value).joined(separator: ",")
    }
}
