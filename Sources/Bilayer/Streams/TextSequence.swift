import Foundation

/// A framing of a JSON text sequence (RFC 7464): each text begins with the record separator, and ends with a line feed.
///
/// A line feed between the brackets of a text does not end the text. A text whose brackets do not match ends at the
/// next separator.
struct TextSequence: ElementFraming {
    private static let separator: UInt8 = 0x1E

    private enum Phase {
        /// Before the first separator.
        case outside
        case text
        /// After the line feed of a text.
        case ended
        /// After the line feed of a text and other bytes behind it, up to the next separator.
        case refused
    }

    private let maximumBytes: Int
    private var phase = Phase.outside
    private var text = Data()
    private var isBlank = true
    private var brackets = BracketStack()
    private var isMalformed = false

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) throws {
        let bytes = Array(chunk)
        var start = 0
        for (index, byte) in bytes.enumerated() {
            if byte == Self.separator {
                try add(bytes[start..<index], to: &elements)
                end(before: "a record separator", &elements)
                (phase, brackets, isBlank, isMalformed) = (.text, BracketStack(), true, false)
                start = index + 1
            } else if phase == .text, endsText(byte) {
                try add(bytes[start...index], to: &elements)
                end(&elements)
                start = index + 1
            }
        }
        try add(bytes[start...], to: &elements)
    }

    mutating func finish(_ elements: inout [StreamedElement]) throws {
        end(before: "the end of the document", &elements)
    }

    /// Tracks the brackets of the text.
    /// - Returns: Whether the byte is the line feed that ends the text.
    private mutating func endsText(_ byte: UInt8) -> Bool {
        if !isSpace(byte) { isBlank = false }
        if isMalformed { return false }
        guard let role = try? brackets.take(byte) else {
            isMalformed = true
            return false
        }
        return role == .other && byte == 0x0A && brackets.depth == 0 && !isBlank
    }

    /// Adds a part of a text. Bytes after the line feed of the text become an element with an error, unless they are
    /// white space.
    private mutating func add(_ part: ArraySlice<UInt8>, to elements: inout [StreamedElement]) throws {
        switch phase {
        case .text:
            guard part.count <= maximumBytes - text.count else {
                throw StreamFormatError("found a longer text, expected at most \(byteCountText(maximumBytes))")
            }
            text.append(contentsOf: part)
        case .refused: break
        case .outside, .ended:
            if part.allSatisfy(isSpace) { return }
            guard phase == .ended else {
                throw StreamFormatError("found other bytes, expected the record separator of a JSON text sequence")
            }
            var element = StreamedElement(Data())
            element.fault = "found more bytes after a text, expected a record separator"
            elements.append(element)
            phase = .refused
        }
    }

    /// Ends the text, and adds it as an element. Two separators in a row have no text between them (RFC 7464 §2.1).
    /// - Parameters:
    ///   - next: What was found after the text, for the error of a text that was cut; `nil` after its line feed, which
    ///     shows that the text is whole.
    ///   - elements: The complete elements.
    private mutating func end(before next: String? = nil, _ elements: inout [StreamedElement]) {
        guard phase == .text else { return }
        phase = .ended
        defer { text = Data() }
        if isBlank { return }
        var element = StreamedElement(text)
        if let next, let missing { element.fault = "found \(next), expected more: \(missing)" }
        elements.append(element)
    }

    /// What the text lacks; `nil` if it is whole, or if its brackets do not match, which its parser reports. A number,
    /// `true`, `false` or `null` without white space after it may have been cut (RFC 7464 §2.4).
    private var missing: String? {
        if isMalformed { return nil }
        if brackets.isWithinString { return "the end of a string" }
        if brackets.depth > 0 { return brackets.missingText }
        guard let first = text.first(where: { !isSpace($0) }), let last = text.last, !isSpace(last) else { return nil }
        return "-0123456789tfn".utf8.contains(first) ? "white space after the text" : nil
    }
}
