import Foundation

/// A JSON text sequence (RFC 7464): each text begins with the record separator, and ends with a line feed.
struct TextSequence: ElementFraming {
    private static let separator: UInt8 = 0x1E

    private let maximumBytes: Int
    private var text: Data?

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) throws {
        var rest = chunk[...]
        while let mark = rest.firstIndex(of: Self.separator) {
            try add(rest[..<mark])
            end(&elements)
            text = Data()
            rest = rest[(mark + 1)...]
        }
        try add(rest)
    }

    mutating func finish(_ elements: inout [StreamedElement]) throws { end(&elements) }

    private mutating func add(_ part: Data) throws {
        if part.isEmpty { return }
        guard let count = text?.count else {
            if part.isBlank { return }
            throw StreamFormatError("found other bytes, expected the record separator of a JSON text sequence")
        }
        guard part.count <= maximumBytes - count else {
            throw StreamFormatError("found a longer text, expected at most \(byteCountText(maximumBytes))")
        }
        text?.append(part)
    }

    /// Two separators in a row have no text between them (RFC 7464 §2.1). A text without white space after it was cut
    /// if it is a number or a word (§2.4). It becomes an empty element, which is no JSON, so the policy decides.
    private mutating func end(_ elements: inout [StreamedElement]) {
        guard let text, !text.isBlank else { return }
        self.text = nil
        let closes: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: "\"")]
        let isWhole = text.last.map(closes.contains) ?? true
        elements.append(StreamedElement(isWhole ? text : Data()))
    }
}
