import Bilayer
import Foundation

extension RecordingRedaction {
    /// Returns the parts of a body without secrets (RFC 2046 §5.1); `nil` if the body has no delimiter.
    ///
    /// If ``isKey`` is true, the result has only the parts, without the boundary, because the boundary differs in each
    /// request.
    func parts(of bytes: Data, between boundary: String) -> Data? {
        let delimiter = Data("--\(boundary)".utf8)
        let pieces = bytes.pieces(between: delimiter)
        guard pieces.count > 1 else { return nil }
        var shown = Data()
        for (index, piece) in pieces.enumerated() {
            let isPart = index > 0 && !piece.starts(with: "--".utf8)
            if isKey && !isPart { continue }
            if index > 0 { shown.append(isKey ? Data("--".utf8) : delimiter) }
            shown.append(isPart ? part(piece) : body(piece, nil))
        }
        return shown
    }

    /// Returns a part of a body, or an HTTP message, without secrets. Both have a first line, header fields, an empty
    /// line and the content. The first line of a part is the rest of the delimiter's line. Some servers end lines
    /// without a carriage return.
    func part(_ bytes: Data) -> Data {
        var end = bytes.endOfLine(from: bytes.startIndex)
        var start = bytes.endIndex
        while end < bytes.endIndex {
            let next = bytes.endOfLine(from: end)
            if bytes[end..<next].isLineEnd {
                start = next
                break
            }
            end = next
        }
        // The line end before a delimiter belongs to the delimiter.
        let content = bytes[start...].withoutLineEnd
        let text = String(decoding: bytes[..<end], as: UTF8.self)
        let (head, fields) = self.fields(in: text)
        // The bytes are copied, because Foundation may trap when bytes are appended to a slice.
        var shown = head != text || isKey ? Data(head.utf8) : Data(bytes[..<end])
        shown.append(bytes[end..<start])
        if let secret = self.secret(in: content, fields) {
            shown.append(Data(replace(secret).utf8))
        } else {
            shown.append(body(content, fields[.contentType].flatMap { MediaType($0) }))
        }
        return shown + bytes[content.endIndex...]
    }

    /// Returns the lines before the content without secrets, and the fields in these lines. A line that begins with a
    /// space continues the field before it (RFC 5322 §2.2.3).
    private func fields(in text: String) -> (text: String, fields: HTTPHeaders) {
        var shown = ""
        var fields = HTTPHeaders()
        var rest = text[...]
        while !rest.isEmpty {
            var end = rest.endOfLine
            while end < rest.endIndex, " \t".contains(rest[end]) { end = rest[end...].endOfLine }
            let line = rest[..<end]
            rest = rest[end...]
            let name = HTTPHeaders.Name(line.prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces))
            guard let colon = line.firstIndex(of: ":"), name.isValid else {
                shown += self.text(String(line))
                continue
            }
            let value = line[line.index(after: colon)...].split(whereSeparator: \.isLineEnd)
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .joined(separator: " ")
            fields.append(value, for: name)
            let other = field(name, value)
            let lineEnd = line.suffix(1).filter(\.isLineEnd)
            shown += other == value ? String(line) : "\(line[...colon]) \(other)\(lineEnd)"
        }
        return (shown, fields)
    }

    /// Returns the content of a part as a secret, if one of the part's names is secret; otherwise `nil`. The content
    /// can be text or other bytes.
    private func secret(in content: Data, _ fields: HTTPHeaders) -> Secret? {
        let text = String(data: content, encoding: .utf8) ?? content.base64EncodedString()
        let trimmed = text.trimmingCharacters(in: .newlines)
        return fields.values(for: "Content-Disposition").flatMap(namesOfPart)
            .first { hides(trimmed, of: $0) }
            .map { Secret(text: trimmed, name: $0) }
    }

    /// Returns the names of a part in a `Content-Disposition` (RFC 7578 §4.2, RFC 8187 §3.2). Its parameters are parsed
    /// like the parameters of a media type.
    private func namesOfPart(_ disposition: String) -> [String] {
        guard let parameters = MediaType("part/\(disposition)")?.parameters else { return [] }
        let extended = parameters["name*"]?.split(separator: "'", omittingEmptySubsequences: false).last
        return [parameters["name"], extended.map(String.init)].compactMap { $0 }.map { decoded($0) ?? $0 }
    }
}

extension Data {
    /// Returns the bytes before the first delimiter, between two delimiters, and after the last delimiter. A delimiter
    /// must be at the start of a line (RFC 2046 §5.1.1).
    fileprivate func pieces(between delimiter: Data) -> [Data] {
        var pieces: [Data] = []
        var start = startIndex
        var searched = startIndex
        while let found = self[searched...].range(of: delimiter) {
            searched = found.upperBound
            if let before = self[..<found.lowerBound].last, !"\r\n".utf8.contains(before) { continue }
            pieces.append(self[start..<found.lowerBound])
            start = found.upperBound
        }
        return pieces + [self[start...]]
    }

    fileprivate func endOfLine(from start: Index) -> Index {
        self[start...].firstIndex(of: UInt8(ascii: "\n")).map { index(after: $0) } ?? endIndex
    }

    fileprivate var isLineEnd: Bool { elementsEqual("\r\n".utf8) || elementsEqual("\n".utf8) }

    fileprivate var withoutLineEnd: Data {
        guard last == UInt8(ascii: "\n") else { return self }
        return dropLast().last == UInt8(ascii: "\r") ? dropLast(2) : dropLast()
    }
}
