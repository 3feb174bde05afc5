import Bilayer
import Foundation

extension RecordingRedaction {
    /// Returns a text without the secrets in its addresses: users, and the values of secret names in queries, fragments
    /// and parameters of the path. Each word is tested separately for the form of an address.
    func addresses(in text: Substring, isAddress: Bool) -> String {
        var shown = ""
        var rest = text
        while !rest.isEmpty {
            let word = rest.prefix { !$0.endsAddress }
            shown += address(word, isAddress: isAddress || word.hasFormOfAddress)
            let between = rest[word.endIndex...].prefix(while: \.endsAddress)
            shown += between
            rest = rest[between.endIndex...]
        }
        return shown
    }

    /// Returns a word without the secrets of an address. If `isAddress` is false, only parts that have the form of a
    /// query or a session are searched.
    private func address(_ word: Substring, isAddress: Bool) -> String {
        var rest = word
        var hidden = ""
        while let mark = rest.firstIndex(where: { "?/#;".contains($0) }) {
            hidden += rest[...mark]
            let kind = rest[mark]
            rest = rest[rest.index(after: mark)...]
            if kind == "/" {
                guard hidden == "//" || hidden.hasSuffix("://"),
                    let user = rest.prefix(while: { !"/?#".contains($0) }).lastIndex(of: "@"), user > rest.startIndex
                else { continue }
                hidden += replace(Secret(text: String(rest[..<user]), name: "user"))
                rest = rest[user...]
                continue
            }
            var items = rest.prefix { !(kind == ";" ? "/;?#" : "?#").contains($0) }
            while let last = items.last, ",;".contains(last) { items = items.dropLast() }
            let hasItems = isAddress || (kind == ";" ? items.isSession : items.first?.mayBeginName == true)
            hidden += hasItems ? form(items, isQuery: isAddress || kind == "?") : String(items)
            rest = rest[items.endIndex...]
        }
        return hidden + rest
    }

    /// Returns the items of a form or a query without secrets.
    ///
    /// In a query, the value of `key` is secret: `?key=…`. In a query with a `state`, the value of `code` is secret,
    /// because both are sent at the end of an authorization (RFC 6749 §4.1.2).
    func form(_ text: some StringProtocol, isQuery: Bool = false) -> String {
        let items = text.split(separator: "&", omittingEmptySubsequences: false).map { Substring($0) }
        let hasState = isQuery && items.contains { $0.hasPrefix("state=") }
        let others: Set<String> = hasState ? ["key", "code"] : isQuery ? ["key"] : []
        return items.map { item($0, others) }.joined(separator: "&")
    }

    /// Returns an item of a form or a query without secrets. Some servers also separate items by `;`. The text after a
    /// secret and a `;` may be a part of the secret, so it is replaced, too.
    func item(_ item: Substring, _ others: Set<String>) -> String {
        guard let mark = item.firstIndex(of: "=") else { return String(item) }
        let whole = pair(item[..<mark], item[item.index(after: mark)...], others)
        if whole != item { return whole }
        for separator in item.indices where item[separator] == ";" {
            let rest = item[item.index(after: separator)...]
            let name = rest.prefix { !"=;".contains($0) }
            let value = rest[name.endIndex...].dropFirst()
            if rest[name.endIndex...].first == "=",
                hides(String(value.prefix { $0 != ";" }), of: decoded(name) ?? String(name), others)
            {
                return item[...separator] + pair(name, value, others)
            }
        }
        return whole
    }

    /// Returns a pair of a name and a value without secrets. The value may be JSON, the variables of a GraphQL
    /// operation, or an address.
    private func pair(_ name: Substring, _ value: Substring, _ others: Set<String>) -> String {
        let plain = decoded(value)
        let plainName = decoded(name) ?? String(name)
        if hides(plain ?? String(value), of: plainName, others) {
            return "\(name)=\(replace(Secret(text: plain ?? String(value), name: plainName)))"
        }
        guard let plain else { return "\(name)=\(text(String(value)))" }
        let hidden = text(plain)
        if hidden == plain { return "\(name)=\(value)" }
        return "\(name)=\(hidden.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? Self.replacement)"
    }

    /// Whether the value of an item, a part, an attribute or an element is secret, because of the rules for its name,
    /// or because `others` contains the name. An empty value is not secret.
    func hides(_ value: String, of name: String, _ others: Set<String> = []) -> Bool {
        if value.isEmpty { return false }
        return switch names.secrecy(of: name) {
        case .all: true
        case .text, .allButCount: Int(value) == nil
        case .none: others.contains(name.lowercased()) && !names.keeps(name)
        }
    }

    /// Returns a name or a value with its percent escapes and pluses resolved; `nil` if its bytes are not text.
    func decoded(_ text: some StringProtocol) -> String? {
        text.replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }
}

extension Substring {
    fileprivate var hasFormOfAddress: Bool {
        hasPrefix("/") || hasPrefix("./") || hasPrefix("../") || contains("://")
    }

    /// Whether a parameter of a path is the session of a server that has no cookies: `;jsessionid=…`.
    fileprivate var isSession: Bool {
        let name = prefix { $0 != "=" }.lowercased()
        return name.hasSuffix("sessionid") || name.hasSuffix("sessid")
    }
}

extension Character {
    /// Whether the character ends an address, because no address contains it (RFC 3986 Appendix C).
    fileprivate var endsAddress: Bool { isWhitespace || "<>\"".contains(self) }

    /// Whether the name of a query item may begin with the character. In a regular expression, another character
    /// follows the `?`.
    fileprivate var mayBeginName: Bool { isLetter || isNumber || "_-.[%$&;".contains(self) }
}
