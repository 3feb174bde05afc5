/// A value that may hold secrets and whose description leaves them out: reflection, and with it `dump`, sees no more.
protocol Redacted: CustomStringConvertible, CustomReflectable {}

extension Redacted {
    /// A mirror without children: the description is all there is to see.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An address without what may be secret in it: user info, fragment, and the value of every query item.
///
/// Works on Unicode scalars: a combining mark behind a `?` makes another character of it, yet ends the path all the
/// same.
package func redactedAddress(_ address: String) -> String {
    let withoutFragment = address.unicodeScalars.prefix { $0 != "#" }
    let base = withoutUserInfo(withoutFragment.prefix { $0 != "?" })
    guard let mark = withoutFragment.firstIndex(of: "?") else { return base }
    return "\(base)?\(redactedQuery(withoutFragment[mark...].dropFirst()))"
}

private typealias Scalars = Substring.UnicodeScalarView

private func redactedQuery(_ query: Scalars) -> String {
    query.split(separator: "&")
        .map { item in
            item.firstIndex(of: "=").map { "\(Substring(item[..<$0]))=…" } ?? "…"
        }
        .joined(separator: "&")
}

/// RFC 3986 §3.2: user info stands between `//` and the last `@` before the path.
private func withoutUserInfo(_ base: Scalars) -> String {
    guard let scheme = base.firstRange(of: "//".unicodeScalars) else { return String(base) }
    let authority = base[scheme.upperBound...].prefix { $0 != "/" }
    guard let at = authority.lastIndex(of: "@") else { return String(base) }
    return "\(Substring(base[..<scheme.upperBound]))\(Substring(base[at...].dropFirst()))"
}
