import Bilayer
import Foundation

extension RecordingRedaction {
    /// Returns a body without secrets: parts, a message, a form, or a text. Other bytes are not changed. A JSON body
    /// that cannot be parsed and whose encoding is uncertain is replaced as a whole.
    ///
    /// If ``isKey`` is true, JSON has a canonical spelling, the items of a form are sorted by name, texts are UTF-8, and
    /// bytes that are not text are in base64.
    func body(_ bytes: Data, _ mediaType: MediaType?) -> Data {
        let shown = inside?.content(bytes, mediaType) ?? Data(Self.replacement.utf8)
        return isKey && String(data: shown, encoding: .utf8) == nil ? shown.base64EncodedData() : shown
    }

    private func content(_ bytes: Data, _ mediaType: MediaType?) -> Data {
        if let boundary = mediaType?.boundary, let parts = self.parts(of: bytes, between: boundary) { return parts }
        if mediaType?.isMessage == true { return part(bytes) }
        guard let body = BodyText(bytes, mediaType) else { return bytes }
        if mediaType?.isJson == true, !bytes.isEmpty, !body.isCertain, (try? Json(parsing: body.text)) == nil {
            return Data(Self.replacement.utf8)
        }
        let shown =
            if mediaType?.isForm == true {
                form(isKey ? body.text.withSortedItems : body.text)
            } else if mediaType?.mayBePlainForm ?? true, let form = plainForm(body.text) {
                form
            } else {
                isKey ? canonical(body.text) : text(body.text)
            }
        if shown == body.text, body.isAmbiguous || !isKey { return bytes }
        return shown.data(using: isKey ? .utf8 : body.encoding) ?? Data(Self.replacement.utf8)
    }

    /// Returns a text whose lines are forms or items of a form, without secrets; `nil` for any other text.
    ///
    /// A form that is sent as `text/plain` has its items in lines, and does not escape their values (HTML, "text/plain
    /// encoding algorithm"). So if no name follows a `&`, the text after the `&` belongs to the value before it.
    private func plainForm(_ text: String) -> String? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isLineEnd)
        guard lines.contains(where: { !$0.isEmpty }), lines.allSatisfy({ $0.isEmpty || $0.hasNameOfForm }) else {
            return nil
        }
        var shown = ""
        for line in lines {
            var items: [Substring] = []
            for item in line.split(separator: "&", omittingEmptySubsequences: false) {
                if let last = items.last, !item.hasNameOfForm {
                    items[items.count - 1] = line[last.startIndex..<item.endIndex]
                } else {
                    items.append(item)
                }
            }
            shown += items.map(plainItem).joined(separator: "&")
            shown += text[line.endIndex...].prefix(1)
        }
        return shown
    }

    /// Returns an item without secrets. The value may be written without escapes.
    private func plainItem(_ item: Substring) -> String {
        guard let mark = item.firstIndex(of: "=") else { return String(item) }
        let (name, value) = (String(item[..<mark]), String(item[item.index(after: mark)...]))
        if !hides(value, of: decoded(name) ?? name) {
            let shown = text(value)
            if shown != value { return "\(name)=\(shown)" }
        }
        return self.item(item, [])
    }

    /// Returns a text without secrets. If the text is JSON, the result has a canonical spelling.
    private func canonical(_ text: String) -> String {
        guard let json = try? Json(parsing: text) else { return self.text(text) }
        return String(decoding: (redacted(json) ?? json).serialized(.sortedKeys), as: UTF8.self)
    }
}

extension Substring {
    /// Whether the text begins with a name and an equals sign.
    fileprivate var hasNameOfForm: Bool {
        let name = prefix { $0.isLetter || $0.isNumber || "_-.[]%+".contains($0) }
        return !name.isEmpty && self[name.endIndex...].first == "="
    }
}

extension MediaType {
    fileprivate var mayBePlainForm: Bool { essence == "text/plain" }
    fileprivate var boundary: String? { essence.hasPrefix("multipart/") ? parameters["boundary"] : nil }
    /// Whether the body has header fields and a body of its own (RFC 9112 §10, RFC 2046 §5.2.1).
    fileprivate var isMessage: Bool { essence == "application/http" || essence.hasPrefix("message/") }
}

extension String {
    /// The form with its items sorted by name. Items with equal names are a list, so they keep their order.
    fileprivate var withSortedItems: String {
        split(separator: "&", omittingEmptySubsequences: false).enumerated()
            .map { (name: $0.element.prefix { $0 != "=" }, offset: $0.offset, item: $0.element) }
            .sorted { ($0.name, $0.offset) < ($1.name, $1.offset) }
            .map(\.item)
            .joined(separator: "&")
    }
}
