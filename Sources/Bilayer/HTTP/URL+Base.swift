import Foundation

extension URL {
    /// Returns the address with its base address replaced by another base address; `nil` if the address does not begin
    /// with the base.
    func moved(from base: URL, to other: URL) -> URL? {
        // The address of a route with an empty path is the base address, byte for byte.
        if absoluteString.withoutFragment == base.absoluteString.withoutFragment { return other }
        return rest(after: base).flatMap { URL(string: other.absoluteString.withoutFragment.withoutTrailingSlash + $0) }
    }

    /// Returns the text after a base address; `nil` if the address does not begin with the base. The text is empty, or
    /// begins with a path, a query or a fragment.
    ///
    /// The case of scheme and host makes no difference, nor does a default port (RFC 9110 §4.2.3), nor a fragment of
    /// the base address.
    func rest(after base: URL) -> String? {
        let (text, start) = (textAfterAuthority, base.textAfterAuthority.withoutFragment.withoutTrailingSlash)
        guard hasSameOrigin(as: base), hasSameUser(as: base), text.hasPrefix(start) else { return nil }
        let rest = text.dropFirst(start.count)
        return rest.first.map { "/?#".contains($0) } ?? true ? String(rest) : nil
    }

    /// Path, query and fragment as they are written.
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
    fileprivate var withoutFragment: String {
        utf8.firstIndex(of: UInt8(ascii: "#")).map { String(self[..<$0]) } ?? self
    }

    fileprivate var withoutTrailingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
