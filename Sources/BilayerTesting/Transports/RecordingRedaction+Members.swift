import Bilayer
import Foundation

extension RecordingRedaction {
    /// Returns a text that is not one JSON document, without the values of secret members, elements and attributes. For
    /// example, the text contains JSON inside of other text, several documents, or an incomplete document. Strings in
    /// the text are searched as texts, and other words may be addresses.
    /// - Returns: The text, and whether its rest was left out because a secret value has no end or there are too many
    ///   tags.
    func members(in text: Substring, isAddress: Bool) -> (text: String, isOpen: Bool) {
        var reader = MemberReader(redaction: self, text: text, isAddress: isAddress)
        return (reader.read(), reader.isOpen)
    }
}

/// Reads a text once. Reads bytes and not characters, because a quotation mark and a combining mark after it are one
/// `Character` in Swift.
private struct MemberReader {
    let redaction: RecordingRedaction
    let text: Substring
    let isAddress: Bool
    private(set) var isOpen = false
    private var shown = ""
    /// The text before this index has been written to `shown`.
    private var done: Substring.Index
    /// The index at which the search continues.
    private var at: Substring.Index
    /// The end of each array and object, by its start.
    private let ends: [Substring.Index: Substring.Index]
    /// The number of bytes that may still be parsed. Without this limit, text in nested braces could be parsed once for
    /// each level.
    private var budget: Int
    /// The number of bytes of tags and secret elements that may still be searched. The limit is needed because a tag
    /// without an end is searched to the end of the text.
    private var tagBudget: Int
    private var lastName = SecretNames.LastName()
    private let isXML: Bool
    /// The names of elements that have no end tag in the rest of the text.
    private var unclosed: Set<String> = []

    init(redaction: RecordingRedaction, text: Substring, isAddress: Bool) {
        self.redaction = redaction
        self.text = text
        self.isAddress = isAddress
        (done, at) = (text.startIndex, text.startIndex)
        ends = text.endsOfValues
        isXML = text.utf8.first { !spaces.contains($0) } == UInt8(ascii: "<")
        budget = text.utf8.count * 16
        tagBudget = budget
    }

    mutating func read() -> String {
        while !isOpen, let mark = text.utf8[at...].firstIndex(where: { beginnings.contains($0) }) {
            at = text.utf8.index(after: mark)
            switch text.utf8[mark] {
            case quote: readString(mark)
            case UInt8(ascii: "<"): readTag(mark)
            default: readValue(mark)
            }
        }
        if !isOpen { show(upTo: text.endIndex) }
        return shown
    }

    /// Writes the text up to an index. The words in it may be addresses.
    private mutating func show(upTo end: Substring.Index) {
        shown += redaction.addresses(in: text[done..<end], isAddress: isAddress)
        done = end
    }

    /// Writes another text instead of the text up to an index.
    private mutating func show(_ other: some StringProtocol, upTo end: Substring.Index) {
        shown += other
        (done, at) = (end, end)
    }

    private mutating func leaveOutRest() {
        shown += "\"\(RecordingRedaction.replacement)"
        isOpen = true
    }
}

// MARK: - JSON

extension MemberReader {
    /// Reads a JSON array or object. A value without secrets is not changed.
    private mutating func readValue(_ mark: Substring.Index) {
        guard let end = ends[mark] else { return }
        let count = text.utf8.distance(from: mark, to: end)
        guard count <= budget else { return }
        budget -= count
        guard let json = try? Json(parsing: String(text[mark..<end])) else { return }
        guard let hidden = redaction.redacted(json) else {
            // All strings of the value have been searched. Searching them again at each level would take exponential
            // time.
            at = end
            return
        }
        show(upTo: mark)
        show(String(decoding: hidden.serialized(), as: UTF8.self), upTo: end)
    }

    /// Reads a string, which may be the name of a secret member.
    private mutating func readString(_ mark: Substring.Index) {
        let close = text.endOfString(from: at)
        let isClosed = close < text.endIndex && text.utf8[close] == quote
        var next = isClosed ? text.utf8.index(after: close) : close
        let plain = text[at..<close].unescaped
        if isClosed, let value = text.valueOfMember(from: next), readMember(plain, from: mark, nameEnd: next, value) {
            return
        }
        // If a word follows the closing quotation mark, the mark may instead be the opening mark of the next string.
        if isClosed, next < text.endIndex, text[next].isLetter || text[next].isNumber { next = close }
        show(upTo: mark)
        let hidden = redaction.text(plain, isAddress: isAddress)
        if hidden != plain {
            // The closing quotation mark is left out here, so that an incomplete string stays incomplete.
            show(String(decoding: Json(hidden).serialized().dropLast(), as: UTF8.self), upTo: close)
        }
        show(text[done..<next], upTo: next)
    }

    /// - Returns: Whether the member is secret.
    private mutating func readMember(
        _ key: String,
        from mark: Substring.Index,
        nameEnd: Substring.Index,
        _ value: Substring.Index
    ) -> Bool {
        let rest = text[value...]
        if rest.utf8.first == quote {
            let start = text.utf8.index(after: value)
            lastName.record(key, text[start..<text.endOfString(from: start)].unescaped, redaction.names)
        }
        let name = SecretNames.isValueOfPair(key) ? lastName.name ?? key : key
        let secrecy = redaction.names.secrecy(of: name)
        if secrecy == .none { return false }
        guard let first = rest.utf8.first else {
            show(upTo: mark)
            show(text[mark...], upTo: value)
            leaveOutRest()
            return true
        }
        let isNumber = first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        if isNumber && secrecy != .all || secrecy == .text && first == UInt8(ascii: "{") { return false }
        if ["null", "true", "false"].contains(where: { rest.isLiteral($0) }) { return false }
        show(upTo: mark)
        show(text[mark..<value], upTo: value)
        if isNumber {
            let number = rest.prefix { $0.isNumber || "+-.eE".contains($0) }
            show(redaction.replace(.init(text: String(number), name: name, isNumber: true)), upTo: number.endIndex)
        } else if first == quote {
            hideString(name)
        } else if "{[".utf8.contains(first) {
            hideValue(secrecy, name)
        } else if !text[nameEnd..<value].contains(where: \.isLineEnd) {
            show("\"\(RecordingRedaction.replacement)\"", upTo: rest.firstIndex(where: \.isLineEnd) ?? text.endIndex)
        } else {
            leaveOutRest()
        }
        return true
    }

    private mutating func hideString(_ name: String) {
        let start = text.utf8.index(after: done)
        let close = text.endOfString(from: start)
        guard close < text.endIndex, text.utf8[close] == quote else { return leaveOutRest() }
        let other = redaction.replace(.init(text: text[start..<close].unescaped, name: name))
        show("\"\(other)\"", upTo: text.utf8.index(after: close))
    }

    private mutating func hideValue(_ secrecy: SecretNames.Secrecy, _ name: String) {
        guard let end = ends[done] else { return leaveOutRest() }
        guard let json = try? Json(parsing: String(text[done..<end])) else {
            return show("\"\(RecordingRedaction.replacement)\"", upTo: end)
        }
        let hidden = redaction.redacted(json, secrecy, of: name)
        show(hidden.map { String(decoding: $0.serialized(), as: UTF8.self) } ?? String(text[done..<end]), upTo: end)
    }
}

// MARK: - XML

extension MemberReader {
    /// Reads the start tag of an element. The element may be secret, or have secret attributes.
    private mutating func readTag(_ mark: Substring.Index) {
        if tagBudget <= 0 {
            show(upTo: mark)
            return leaveOutRest()
        }
        guard let tag = Tag(text, from: at) else { return }
        tagBudget -= tag.count
        let names = redaction.names
        let ofPair = tag.attributes.lazy.compactMap { names.nameOfPair(String($0.name), String($0.value)) }.first
        for attribute in tag.attributes {
            let isOfPair = SecretNames.isAttributeOfPair(String(attribute.name))
            let name = isOfPair ? ofPair ?? String(attribute.name) : String(attribute.name)
            guard redaction.hides(String(attribute.value), of: name) else { continue }
            show(upTo: attribute.value.startIndex)
            show(redaction.replace(.init(text: String(attribute.value), name: name)), upTo: attribute.value.endIndex)
            if let mark = text.utf8[done...].first, quotes.contains(mark) {
                let next = text.utf8.index(after: done)
                show(text[done..<next], upTo: next)
            }
        }
        let name = String(tag.localName)
        let secrecy = redaction.names.secrecy(of: name)
        guard secrecy != .none, let start = tag.contentStart else { return }
        hideContent(of: tag, from: start, secrecy, name)
    }

    /// Replaces the content of a secret element. If only its text is secret, as for `session`, the elements inside are
    /// data and are not replaced.
    private mutating func hideContent(
        of tag: Tag,
        from start: Substring.Index,
        _ secrecy: SecretNames.Secrecy,
        _ name: String
    ) {
        let content = text[start...]
        let isData = content.begins(with: "<![CDATA[")
        let next = content.utf8.firstIndex(of: UInt8(ascii: "<")) ?? text.endIndex
        if secrecy == .text, !isData, next < text.endIndex, !text[next...].beginsWithEnd(of: tag.name) { return }
        let isClosed = !unclosed.contains(String(tag.name))
        let place = isClosed ? content.firstEnd(of: tag.name) : nil
        if isClosed { tagBudget -= text.utf8.distance(from: start, to: place ?? text.endIndex) }
        guard let end = place else {
            unclosed.insert(String(tag.name))
            // Outside of XML, a word between angle brackets is not an element.
            guard isXML, start < text.endIndex else { return }
            show(upTo: start)
            return leaveOutRest()
        }
        var value = text[start..<end].trimmingCharacters(in: .whitespacesAndNewlines)
        if isData, value.hasSuffix("]]>") { value = String(value.dropFirst(9).dropLast(3)) }
        guard redaction.hides(value, of: name), !["true", "false", "null"].contains(value) else { return }
        show(upTo: start)
        show(redaction.replace(.init(text: value, name: name)), upTo: end)
    }
}

/// The start tag of an element.
private struct Tag {
    var name: Substring
    var attributes: [(name: Substring, value: Substring)] = []
    /// The index after the tag; `nil` for the tag of an empty element, and for a tag without an end.
    var contentStart: Substring.Index?
    var count = 0

    /// The name without the prefix of its namespace.
    var localName: Substring { name.split(separator: ":").last ?? name }

    /// Reads a tag, from the index after its angle bracket. Returns `nil` if there is no tag.
    init?(_ text: Substring, from start: Substring.Index) {
        var rest = text.utf8[start...]
        func take(while belongs: (UInt8) -> Bool) -> Substring {
            let taken = rest.prefix(while: belongs)
            rest = rest[taken.endIndex...]
            return text[taken.startIndex..<taken.endIndex]
        }
        name = take { !endsOfNames.contains($0) }
        // An address between angle brackets is not a tag.
        let isName = name.allSatisfy { $0.isLetter || $0.isNumber || "_-.:".contains($0) } && name.first != "-"
        guard isName, !name.isEmpty, rest.first.map({ spaces.contains($0) || "/>".utf8.contains($0) }) ?? true else {
            return nil
        }
        while true {
            _ = take { spaces.contains($0) || $0 == UInt8(ascii: "/") }
            guard let first = rest.first, first != UInt8(ascii: "<") else { break }
            if first == UInt8(ascii: ">") {
                let isEmpty = text.utf8[..<rest.startIndex].last == UInt8(ascii: "/")
                rest = rest.dropFirst()
                if !isEmpty { contentStart = rest.startIndex }
                break
            }
            let attribute = take { !endsOfNames.contains($0) }
            _ = take { spaces.contains($0) }
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst()
                _ = take { spaces.contains($0) }
                let mark = rest.first
                if mark == quote || mark == UInt8(ascii: "'") {
                    rest = rest.dropFirst()
                    attributes.append((attribute.localPart, take { $0 != mark }))
                    rest = rest.dropFirst()
                } else {
                    attributes.append((attribute.localPart, take { !spaces.contains($0) && $0 != UInt8(ascii: ">") }))
                }
            } else if attribute.isEmpty {
                rest = rest.dropFirst()
            }
        }
        count = text.utf8.distance(from: start, to: rest.startIndex)
    }
}

private let quote = UInt8(ascii: "\"")
private let quotes = Set("\"'".utf8)
private let beginnings = Set("{[\"<".utf8)
private let spaces = Set(" \t\r\n".utf8)
private let endsOfNames = Set(" \t\r\n=<>/\"'".utf8)

extension Substring {
    fileprivate var localPart: Substring { split(separator: ":").last ?? self }

    /// Returns the index of the quotation mark that ends a JSON string. If there is none, returns the end of the line
    /// or of the text.
    fileprivate func endOfString(from start: Index) -> Index {
        var isEscaped = false
        var place = start
        while place < endIndex {
            let byte = utf8[place]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return place }
            if byte == quote, !isEscaped { return place }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            place = utf8.index(after: place)
        }
        return endIndex
    }

    /// Returns the index of the first end tag of an element; `nil` if there is none. Compares bytes, not characters.
    fileprivate func firstEnd(of name: Substring) -> Index? {
        var place = startIndex
        while let mark = utf8[place...].firstIndex(of: UInt8(ascii: "<")) {
            if self[mark...].beginsWithEnd(of: name) { return mark }
            place = utf8.index(after: mark)
        }
        return nil
    }

    /// Whether the text begins with the end tag of an element. A longer name that begins with `name` is another
    /// element.
    fileprivate func beginsWithEnd(of name: Substring) -> Bool {
        let other = utf8.dropFirst(2)
        return utf8.starts(with: "</".utf8) && other.starts(with: name.utf8)
            && (other.dropFirst(name.utf8.count).first.map(endsOfNames.contains) ?? true)
    }

    /// Returns the index of the value of the member whose name ends at `end`; `nil` if no colon follows the name.
    fileprivate func valueOfMember(from end: Index) -> Index? {
        let colon = utf8[end...].drop { spaces.contains($0) }
        guard colon.first == UInt8(ascii: ":") else { return nil }
        return colon.dropFirst().drop { spaces.contains($0) }.startIndex
    }

    /// Whether the text begins with a JSON literal, such as `null`.
    fileprivate func isLiteral(_ literal: String) -> Bool {
        begins(with: literal) && !(dropFirst(literal.count).first.map { $0.isLetter || $0.isNumber } ?? false)
    }

    /// The end of each array and object, by its start. Brackets inside of strings are ignored.
    fileprivate var endsOfValues: [Index: Index] {
        var ends: [Index: Index] = [:]
        var open: [(place: Index, close: UInt8)] = []
        var place = startIndex
        while place < endIndex {
            let next = utf8.index(after: place)
            switch utf8[place] {
            case UInt8(ascii: "{"): open.append((place, UInt8(ascii: "}")))
            case UInt8(ascii: "["): open.append((place, UInt8(ascii: "]")))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                while let last = open.popLast() {
                    guard last.close == utf8[place] else { continue }
                    ends[last.place] = next
                    break
                }
            case quote:
                let close = endOfString(from: next)
                place = close < endIndex && utf8[close] == quote ? utf8.index(after: close) : close
                continue
            default: break
            }
            place = next
        }
        return ends
    }
}
