import Bilayer
import Foundation

extension RecordingRedaction {
    /// A text without secrets, alone or in a field, an item or a string of JSON: JSON, or lines that are JSON, strings
    /// of JSON, and words that may be addresses.
    ///
    /// If `isAddress`, each word is an address, even if it does not have the form of one.
    func text(_ text: String, isAddress: Bool = false) -> String {
        guard text.utf8.contains(where: marks.contains) else { return text }
        guard let inside else { return Self.replacement }
        return inside.json(text) ?? inside.lines(text, isAddress: isAddress)
    }

    /// The text without secrets if it is JSON.
    private func json(_ text: some StringProtocol) -> String? {
        guard text.contains(where: { "{[".contains($0) }), let json = try? Json(parsing: String(text)) else {
            return nil
        }
        return redacted(json).map { String(decoding: $0.serialized(), as: UTF8.self) } ?? String(text)
    }

    /// Lines that may be JSON: NDJSON, text sequences, events, whose data may have several lines. Of JSON over several
    /// lines that is not whole, what follows a secret member without a value on its line is left out.
    private func lines(_ text: String, isAddress: Bool) -> String {
        var result = ""
        var rest = text[...]
        func takeLine() -> Substring {
            let line = rest[..<rest.endOfLine]
            rest = rest[line.endIndex...]
            return line
        }
        while !rest.isEmpty {
            var lines = [takeLine()]
            while lines[0].hasPrefix("data:"), rest.hasPrefix("data:") { lines.append(takeLine()) }
            let data = lines.map { $0.dropFirst(5) }.joined(separator: "\n")
            if lines.count > 1, let hidden = json(data) {
                result += hidden == data ? lines.joined(separator: "") : "data: \(hidden)\n"
                continue
            }
            for (index, line) in lines.enumerated() {
                let content = line.prefix { !$0.isLineEnd }
                let isLast = rest.isEmpty && index == lines.count - 1
                let (shown, isOpen) = self.line(content, isAddress: isAddress, isLast: isLast)
                result += shown
                if isOpen { return result }
                result += line[content.endIndex...]
            }
        }
        return result
    }

    /// - Returns: The line, and whether the value of a secret member follows on other lines.
    private func line(_ line: Substring, isAddress: Bool, isLast: Bool) -> (text: String, isOpen: Bool) {
        if let start = line.firstIndex(where: { "{[\"".contains($0) }), let shown = json(line[start...]) {
            return (addresses(in: line[..<start], isAddress: isAddress) + shown, false)
        }
        return strings(line, isAddress: isAddress, isLast: isLast)
    }

    /// A line that is no JSON, as one of a document over several lines, or the last one of a stream that was left. Its
    /// strings are texts, and it ends at the first secret member.
    private func strings(_ line: Substring, isAddress: Bool, isLast: Bool) -> (text: String, isOpen: Bool) {
        var shown = ""
        var rest = line
        while let open = rest.firstIndex(of: "\"") {
            shown += addresses(in: rest[..<open], isAddress: isAddress)
            let string = rest[rest.index(after: open)...]
            let close = string.endOfString
            rest = string[close...].dropFirst()
            let text = string[..<close]
            let plain = text.unescaped
            let after = rest.drop { $0 == " " || $0 == "\t" }
            if after.first == ":" || after.isEmpty && !isLast {
                let value = after.dropFirst().drop { $0 == " " || $0 == "\t" }
                if isSecret(plain, value) {
                    return ("\(shown)\"\(text)\":\"\(Self.replacement)", value.first.map { "{[".contains($0) } ?? true)
                }
            }
            let hidden = self.text(plain, isAddress: isAddress)
            shown +=
                hidden == plain
                ? String(line[open..<rest.startIndex]) : String(decoding: Json(hidden).serialized(), as: UTF8.self)
        }
        return (shown + addresses(in: rest, isAddress: isAddress), false)
    }

    /// Whether a member is secret that is not read as JSON.
    private func isSecret(_ name: String, _ value: Substring) -> Bool {
        let isNumber = value.first.map { $0.isNumber || $0 == "-" } ?? false
        return switch names.secrecy(of: name) {
        case .none: false
        case .text: !isNumber && value.first != "{"
        case .allButCount: !isNumber
        case .all: true
        }
    }

    /// Replaces the texts and numbers in secret members by others of their kind, at every depth. Depth of JSON costs
    /// memory, not stack.
    /// - Returns: `nil` if there are none.
    func redacted(_ json: Json) -> Json? {
        var json = json
        var open: [(value: Json, path: JsonPath, secrecy: SecretNames.Secrecy, name: String)] = [
            (json, .root, .none, "")
        ]
        var places: [(JsonPath, Json)] = []
        while let (value, path, secrecy, name) = open.popLast() {
            let inner: SecretNames.Secrecy = secrecy == .allButCount ? .all : secrecy
            switch value.kind {
            case .array:
                let elements = value.elements.enumerated()
                    .map { (value: $1, path: path.appending(.index($0)), secrecy: inner, name: name) }
                open += elements.reversed()
            case .object:
                // In the order of keys, so that equal objects have equal secrets.
                for (key, member) in value.members.sorted(by: { $0.key > $1.key }) {
                    let isInside = secrecy == .allButCount || secrecy == .all
                    let own = names.keeps(key) ? .none : isInside ? .all : names.secrecy(of: key)
                    open.append((member, path.appending(.key(key)), own, isInside ? name : key))
                }
            case .string:
                let text = value.string ?? ""
                let hidden = secrecy == .none ? self.text(text) : replace(Secret(text: text, name: name))
                if secrecy != .none || hidden != text { places.append((path, Json(hidden))) }
            case .number where secrecy == .all:
                let number = Int(replace(Secret(text: "\(value)", name: name, isNumber: true)))
                places.append((path, Json(number ?? 0)))
            case .number, .bool, .null: continue
            }
        }
        for (place, other) in places { json.set(other, at: place) }
        // The literal `nil` would be a JSON `null` here.
        return places.isEmpty ? Optional.none : json
    }
}

/// The characters that JSON or an address has. A text without them has no secret that a name tells.
private let marks = Set("{[\"?#/;".utf8)

extension Substring {
    /// The place behind the first line, with its end.
    var endOfLine: Index { firstIndex(where: \.isLineEnd).map { index(after: $0) } ?? endIndex }

    /// The place of the quotation mark that ends a text of JSON, or the end.
    fileprivate var endOfString: Index {
        var isEscaped = false
        for place in indices {
            if isEscaped {
                isEscaped = false
            } else if self[place] == "\"" {
                return place
            } else {
                isEscaped = self[place] == "\\"
            }
        }
        return endIndex
    }

    /// A string of JSON without its escapes. The last one of a string that was left may not be whole.
    fileprivate var unescaped: String {
        guard let last = lastIndex(of: "\\") else { return String(self) }
        return [self, self[..<last]].lazy.compactMap { (try? Json(parsing: "\"\($0)\""))?.string }.first ?? String(self)
    }
}

extension Character {
    var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
