import Foundation

extension URL {
    /// The address under another base address; `nil` if it is not under the first one.
    func moved(from base: URL, to other: URL) -> URL? {
        rest(after: base).flatMap { URL(string: other.absoluteString.withoutTrailingSlash + $0) }
    }

    /// The text after a base address: empty, or a path, a query or a fragment; `nil` if the address is not under it.
    ///
    /// Case of scheme and host, and a default port, make no difference (RFC 9110 §4.2.3).
    func rest(after base: URL) -> String? {
        let (text, start) = (textAfterAuthority, base.textAfterAuthority.withoutTrailingSlash)
        guard hasSameOrigin(as: base), hasSameUser(as: base), text.hasPrefix(start) else { return nil }
        let rest = text.dropFirst(start.count)
        return rest.first.map { "/?#".contains($0) } ?? true ? String(rest) : nil
    }

    /// Path, query and fragment, as they are written.
    private var textAfterAuthority: String {
        let text = absoluteString
        let authority = text.range(of: "://")?.upperBound ?? text.startIndex
        return String(text[authority...].drop { !"/?#".contains($0) })
    }

    private func hasSameUser(as other: URL) -> Bool {
        user(percentEncoded: true) == other.user(percentEncoded: true)
            && password(percentEncoded: true) == other.password(percentEncoded: true)
    }
}

extension String {
    fileprivate var withoutTrailingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
