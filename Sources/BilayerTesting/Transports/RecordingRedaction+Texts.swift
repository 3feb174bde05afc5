import Bilayer
import Foundation

extension RecordingRedaction {
    /// Returns a text without secrets. The text is a whole body, or the value of a field, an item or a JSON string. It
    /// can be JSON, a GraphQL document, or text with members, elements and words that may be addresses.
    ///
    /// If `isAddress` is true, each word is an address, even if it does not have the form of an address.
    func text(_ text: String, isAddress: Bool = false) -> String {
        guard text.utf8.contains(where: marks.contains) else { return text }
        guard let inside else { return Self.replacement }
        return inside.json(text) ?? inside.graphQL(text) ?? inside.sequence(text, isAddress: isAddress)
    }

    /// Returns the value of a header field without secrets.
    func field(_ name: HTTPHeaders.Name, _ value: String) -> String {
        if names.hides(field: name) { return replace(Secret(text: value, name: name.rawValue)) }
        return text(value, isAddress: [.location, .contentLocation, .link].contains(name))
    }

    /// Returns the text without secrets if the text is JSON; otherwise `nil`.
    private func json(_ text: some StringProtocol) -> String? {
        guard text.contains(where: { "{[".contains($0) }), let json = try? Json(parsing: String(text)) else {
            return nil
        }
        guard let hidden = redacted(json) else { return String(text) }
        // The line end is read as bytes, because CR and LF together are one `Character`.
        let end = text.utf8.suffix(text.utf8.reversed().prefix { " \t\r\n".utf8.contains($0) }.count)
        return String(decoding: hidden.serialized() + end, as: UTF8.self)
    }

    /// Returns a text without secrets. It may be a JSON text sequence, whose separator JSON never contains (RFC 7464
    /// §2.2).
    private func sequence(_ text: String, isAddress: Bool) -> String {
        guard text.utf8.contains(0x1E) else { return events(in: text[...], isAddress: isAddress) }
        return text.split(separator: "\u{1E}", omittingEmptySubsequences: false)
            .map { json($0) ?? events(in: $0, isAddress: isAddress) }
            .joined(separator: "\u{1E}")
    }

    /// Returns a text without secrets. The text may have server-sent events, whose data may have several lines.
    private func events(in text: Substring, isAddress: Bool) -> String {
        var shown = ""
        var start = text.startIndex
        var at = text.startIndex
        while at < text.endIndex {
            guard text[at...].begins(with: "data:") else {
                at = text[at...].endOfLine
                continue
            }
            let (other, isOpen) = members(in: text[start..<at], isAddress: isAddress)
            shown += other
            if isOpen { return shown }
            var lines: [Substring] = []
            while text[at...].isFieldOfEvent {
                let end = text[at...].endOfLine
                lines.append(text[at..<end])
                at = end
            }
            let (event, isCut) = event(lines, isAddress: isAddress)
            shown += event
            // An empty line ends an event.
            if isCut, text[at...].first?.isLineEnd == false { return shown }
            start = at
        }
        return shown + members(in: text[start...], isAddress: isAddress).text
    }

    /// Returns the fields of an event without secrets. All data lines together are one text, even if other fields or
    /// comments are between them.
    /// - Returns: The fields, and whether a part of the data is left out, as in ``members(in:isAddress:)``.
    private func event(_ lines: [Substring], isAddress: Bool) -> (text: String, isOpen: Bool) {
        let data = lines.filter { $0.begins(with: "data:") }
            .map { line in
                let value = line.dropFirst(5).prefix { !$0.isLineEnd }
                return value.first == " " ? value.dropFirst() : value
            }
            .joined(separator: "\n")
        let whole = (json(data) ?? graphQL(data)).map { (text: $0, isOpen: false) }
        let (hidden, isOpen) = whole ?? members(in: data[...], isAddress: isAddress)
        var shown = ""
        var isFirst = true
        for line in lines {
            if !line.begins(with: "data:") {
                shown += members(in: line, isAddress: isAddress).text
            } else if hidden == data {
                shown += line
            } else if isFirst {
                isFirst = false
                let lineEnd = line.last?.isLineEnd == true ? line.suffix(1) : ""
                for line in hidden.split(separator: "\n", omittingEmptySubsequences: false) {
                    shown += "data: \(line)\(lineEnd)"
                }
            }
        }
        return (shown, isOpen)
    }

    /// Returns JSON in which the texts and numbers of secret members are replaced by other texts and numbers, at every
    /// depth. Nesting costs memory, not stack.
    /// - Parameters:
    ///   - json: The value.
    ///   - secrecy: The part of `json` that is secret.
    ///   - name: The name that shows that the value is secret.
    /// - Returns: The changed JSON; `nil` if nothing is secret.
    func redacted(_ json: Json, _ secrecy: SecretNames.Secrecy = .none, of name: String = "") -> Json? {
        var json = json
        var open = [(value: json, path: JsonPath.root, secrecy: secrecy, name: name)]
        var places: [(JsonPath, Json)] = []
        while let (value, path, secrecy, name) = open.popLast() {
            let inner: SecretNames.Secrecy = secrecy == .allButCount ? .all : secrecy
            switch value.kind {
            case .array:
                let elements = value.elements.enumerated()
                    .map { (value: $1, path: path.appending(.index($0)), secrecy: inner, name: name) }
                open += elements.reversed()
            case .object:
                // The members are visited in the order of their keys, so that equal objects have equal placeholders.
                let members = value.members.sorted(by: { $0.key > $1.key })
                let ofPair = members.lazy.compactMap { names.nameOfPair($0.key, $0.value.string) }.first
                for (key, member) in members {
                    let isInside = secrecy == .allButCount || secrecy == .all
                    let called = SecretNames.isValueOfPair(key) ? ofPair ?? key : key
                    let own = names.keeps(key) ? .none : isInside ? .all : names.secrecy(of: called)
                    open.append((member, path.appending(.key(key)), own, isInside ? name : called))
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

/// Every text with JSON, XML or an address contains at least one of these characters. In a text without them, no name
/// can mark a secret.
private let marks = Set("{[\"?#/;<".utf8)

extension Substring {
    /// The index after the first line and its line end.
    var endOfLine: Index { firstIndex(where: \.isLineEnd).map { index(after: $0) } ?? endIndex }

    func begins(with text: String) -> Bool { utf8.starts(with: text.utf8) }

    /// Whether the text begins with a field of an event, or a comment (HTML §9.2.5).
    fileprivate var isFieldOfEvent: Bool { ["data:", "id:", "event:", "retry:", ":"].contains(where: begins) }

    /// The contents of a JSON string with escapes resolved. In an incomplete string, the last escape may be incomplete
    /// and is then left out.
    var unescaped: String {
        guard let last = lastIndex(of: "\\") else { return String(self) }
        return [self, self[..<last]].lazy.compactMap { (try? Json(parsing: "\"\($0)\""))?.string }.first ?? String(self)
    }
}

extension Character {
    var isLineEnd: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
