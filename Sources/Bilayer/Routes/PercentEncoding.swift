import Foundation

extension CharacterSet {
    /// RFC 3986 §2.3: the characters that never need an escape.
    static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
    /// What may stand in a path that is written out, escapes that are already there included (RFC 3986 §3.3).
    static let path = unreserved.union(CharacterSet(charactersIn: "/!$&'()*+,;=:@%"))
    /// What may stand in a query that is written out. A `+` stays: whoever writes the text knows the server.
    static let queryText = path.union(CharacterSet(charactersIn: "?"))
}

extension Substring {
    func percentEncoded(keeping allowed: CharacterSet) -> String {
        addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    var trimmingLeadingSlash: String { String(drop { $0 == "/" }) }
}

extension String {
    var trimmingLeadingSlash: String { self[...].trimmingLeadingSlash }

    var trimmingSlashes: String {
        var text = self[...].drop { $0 == "/" }
        while text.last == "/" { text.removeLast() }
        return String(text)
    }
}
