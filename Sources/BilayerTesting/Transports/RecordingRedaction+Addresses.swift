import Bilayer
import Foundation

extension RecordingRedaction {
    /// A text whose addresses have no values of secret names in queries, fragments and parameters of the path, and no
    /// users. Each word is an address or not by itself.
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

    /// A word. Of one that may be no address, only what looks like a query or a session is one.
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

    /// The items of a form or a query without secrets.
    ///
    /// The key of a query is secret: `?key=…`. So is the code that an authorization ends with (RFC 6749 §4.1.2), which
    /// has a state beside it.
    func form(_ text: some StringProtocol, isQuery: Bool = false) -> String {
        let items = text.split(separator: "&", omittingEmptySubsequences: false).map { Substring($0) }
        let hasState = isQuery && items.contains { $0.hasPrefix("state=") }
        let others: Set<String> = hasState ? ["key", "code"] : isQuery ? ["key"] : []
        return items.map { item($0, others) }.joined(separator: "&")
    }

    /// An item of a form or a query. Some servers separate items by `;`, too. What follows a secret there may be a part
    /// of it.
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

    /// A pair of a form or a query. Its value may be JSON, the variables of a GraphQL operation, or an address.
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

    /// Whether the value of an item or a part is secret, by its name or as one of others.
    func hides(_ value: String, of name: String, _ others: Set<String> = []) -> Bool {
        if value.isEmpty { return false }
        return switch names.secrecy(of: name) {
        case .all: true
        case .text, .allButCount: Int(value) == nil
        case .none: others.contains(name.lowercased()) && !names.keeps(name)
        }
    }

    /// A name or value that is written with percent signs and pluses; `nil` if its bytes are no text.
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
    /// Whether no address has the character (RFC 3986 Appendix C).
    fileprivate var endsAddress: Bool { isWhitespace || "<>\"".contains(self) }

    /// Whether the name of an item of a query may begin so. A `?` in a regular expression has another sign behind it.
    fileprivate var mayBeginName: Bool { isLetter || isNumber || "_-.[%$&;".contains(self) }
}
