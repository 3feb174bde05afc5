import Foundation

extension URL {
    /// Makes an address from a text of a server, such as a `Location` (RFC 3986 §5).
    ///
    /// Bytes that are not allowed in an address are escaped one by one, and so is a `%` without two hexadecimal digits.
    /// Foundation would also escape the existing escapes of the text: `?name=a b&city=%C3%A9` would name another city.
    /// - Parameters:
    ///   - text: The text, which can be relative.
    ///   - base: The address of the response.
    init?(reference text: String, relativeTo base: URL?) {
        let start = text.endOfAuthority
        let parts = text[start...].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let escaped = parts.map { $0.escapingIncompleteEscapes.percentEncoded(keeping: .queryText) }
            .joined(separator: "#")
        self.init(string: text[..<start] + escaped, relativeTo: base)
    }
}

extension String {
    /// The end of host and port, which follow other rules than the rest of the text; the start if the text has no host.
    fileprivate var endOfAuthority: Index {
        guard let slashes = firstRange(of: "//"), !self[..<slashes.lowerBound].contains(where: "/?#".contains),
            slashes.lowerBound == startIndex || self[..<slashes.lowerBound].last == ":"
        else { return startIndex }
        return self[slashes.upperBound...].firstIndex(where: "/?#".contains) ?? endIndex
    }
}
