import Foundation

extension URL {
    /// The address that a text of a server names, such as a `Location` (RFC 3986 §5).
    ///
    /// Bytes that are not allowed in an address are escaped, each by itself. Foundation would escape the escapes beside
    /// them, too: `?name=a b&city=%C3%A9` would name another city.
    /// - Parameters:
    ///   - text: The text.
    ///   - base: The address of the response.
    init?(reference text: String, relativeTo base: URL?) {
        let start = text.endOfAuthority
        guard !text[start...].hasIncompleteEscape else {
            self.init(string: text, relativeTo: base)
            return
        }
        let parts = text[start...].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let escaped = parts.map { $0.percentEncoded(keeping: .queryText) }.joined(separator: "#")
        self.init(string: text[..<start] + escaped, relativeTo: base)
    }
}

extension String {
    /// The end of the host and its port, where an address has one: its rules are others.
    fileprivate var endOfAuthority: Index {
        guard let slashes = firstRange(of: "//"), !self[..<slashes.lowerBound].contains(where: "/?#".contains),
            slashes.lowerBound == startIndex || self[..<slashes.lowerBound].last == ":"
        else { return startIndex }
        return self[slashes.upperBound...].firstIndex(where: "/?#".contains) ?? endIndex
    }
}
