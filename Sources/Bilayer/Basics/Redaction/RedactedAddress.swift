/// Returns a text without the secrets of its addresses. Each word that has the form of an address is redacted
/// separately.
///
/// The function is for values of header fields. Such a value has one address, several (`Link: <…>, <…>`), or none.
/// - Parameters:
///   - text: The text.
///   - everyWordIsAnAddress: Whether to redact every word, even one that does not look like an address.
/// - Returns: The text for descriptions.
func redactedAddresses(in text: String, everyWordIsAnAddress: Bool = false) -> String {
    var result = ""
    var rest = Substring(text).unicodeScalars
    while !rest.isEmpty {
        let word = rest.prefix { !endsAddress($0) }
        let isAddress =
            everyWordIsAnAddress || word.contains("?") || word.firstRange(of: "//".unicodeScalars) != nil
            || word.contains("#") && (word.contains("/") || word.contains("="))
            || word.first == "/" && word.contains(";")
        result += isAddress ? redactedAddress(String(word)) : String(word)
        rest = rest[word.endIndex...]
        let between = rest.prefix(while: endsAddress)
        result += String(between)
        rest = rest[between.endIndex...]
    }
    return result
}

/// Whether a character ends an address. No address contains such a character (RFC 3986 Appendix C).
private func endsAddress(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "<" || scalar == ">" || scalar == "\"" || scalar.properties.isWhitespace
}

/// Returns an address without the parts that can be secret: user info, parameters of the path, fragment, the values of
/// all query items, and query items without a value.
///
/// The text is read by Unicode scalars, because a `?` with a combining mark is another `Character`, but still ends the
/// path.
package func redactedAddress(_ address: String) -> String {
    let withoutFragment = address.unicodeScalars.prefix { $0 != "#" }
    let base = withoutPathParameters(withoutUserInfo(withoutFragment.prefix { $0 != "?" }))
    guard let mark = withoutFragment.firstIndex(of: "?") else { return base }
    return "\(base)?\(redactedQuery(withoutFragment[mark...].dropFirst()))"
}

/// Returns a path without the parameters of its segments (RFC 3986 §3.3). A parameter can be a session: `/home;…/user`.
func withoutPathParameters(_ path: some StringProtocol) -> String {
    var shown = String.UnicodeScalarView()
    var isParameter = false
    for scalar in path.unicodeScalars {
        if scalar == "/" {
            isParameter = false
        } else if isParameter {
            if shown.last == ";" { shown.append("…") }
            continue
        } else if scalar == ";" {
            isParameter = true
        }
        shown.append(scalar)
    }
    return String(shown)
}

private typealias Scalars = Substring.UnicodeScalarView

private func redactedQuery(_ query: Scalars) -> String {
    query.split(separator: "&")
        .map { item in
            let name = item.prefix { $0 != "=" }
            // An item without a value can itself be the secret (a token, or base64 that ends in `=`), so it is hidden
            // completely.
            return item[name.endIndex...].allSatisfy { $0 == "=" } ? "…" : "\(Substring(name))=…"
        }
        .joined(separator: "&")
}

/// Removes the user info, which is between `//` and the last `@` before the path (RFC 3986 §3.2).
private func withoutUserInfo(_ base: Scalars) -> String {
    guard let slashes = base.firstRange(of: "//".unicodeScalars) else { return String(base) }
    let authority = base[slashes.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(base) }
    return "\(Substring(base[..<slashes.upperBound]))\(Substring(base[at...].dropFirst()))"
}
