import Foundation

extension URL {
    /// The address in a normal form: equal addresses have equal texts (RFC 9110 §4.2.3, RFC 3986 §6.2.2.1 and
    /// §6.2.2.2). The fragment makes no difference. The text is for comparison only, because it is not an address.
    var normalizedAddress: String {
        let path = path(percentEncoded: true)
        let query = query(percentEncoded: true).map { "?\($0)" } ?? ""
        let user = user(percentEncoded: true).map { "\($0):\(password(percentEncoded: true) ?? "")@" } ?? ""
        let place = "\(path.isEmpty ? "/" : path)\(query)".resolvingEscapes(of: UnescapedCharacters.unreserved.contains)
        return "\(normalizedOrigin)|\(user)|\(place)"
    }

    /// Scheme, host and port (RFC 6454 §4).
    var normalizedOrigin: String {
        let scheme = (scheme ?? "").lowercased()
        return
            "\(scheme)://\((host(percentEncoded: true) ?? "").lowercased()):\(port ?? (scheme == "https" ? 443 : 80))"
    }
}
