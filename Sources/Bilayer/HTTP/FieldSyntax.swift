// The syntax that header fields share: blanks, quoted strings and lists (RFC 9110 §5.5, §5.6). The functions work on
// the characters of a text and on its Unicode scalars. The code that reads a field chooses one of them.

extension Unicode.Scalar {
    /// Whether the scalar is a space or a tab.
    var isBlank: Bool { self == " " || self == "\t" }
}

extension BidirectionalCollection {
    /// Returns the part without the elements at the start and the end for which the closure returns true.
    func trimming(_ isRemoved: (Element) -> Bool) -> SubSequence {
        let rest = drop(while: isRemoved)
        return rest.lastIndex { !isRemoved($0) }.map { rest[...$0] } ?? rest
    }
}

extension Collection where Element: Equatable & ExpressibleByUnicodeScalarLiteral {
    /// Returns the parts between separators; separators in quotes do not count. Also returns whether the last quote has
    /// no end.
    func splitOutsideQuotes(at separator: Element) -> (parts: [SubSequence], isQuoteOpen: Bool) {
        var isQuoted = false
        var isEscaped = false
        let parts = split(omittingEmptySubsequences: false) { element in
            defer { isEscaped = isQuoted && element == "\\" && !isEscaped }
            if element == "\"" && !isEscaped { isQuoted.toggle() }
            return element == separator && !isQuoted
        }
        return (parts, isQuoted)
    }
}

extension Collection where Element: Equatable & ExpressibleByUnicodeScalarLiteral, SubSequence == Self {
    /// Removes the rest of a quoted string after its opening quote (RFC 9110 §5.6.4), and returns its content with
    /// escapes resolved. Without a closing quote, the content extends to the end.
    mutating func popQuotedContent() -> [Element] {
        var content: [Element] = []
        while let element = popFirst(), element != "\"" {
            if element != "\\" {
                content.append(element)
            } else if let escaped = popFirst() {
                content.append(escaped)
            }
        }
        return content
    }
}

extension StringProtocol {
    /// The text without the spaces and tabs around it (RFC 9110 §5.5).
    var trimmingBlanks: String { String(String.UnicodeScalarView(unicodeScalars.trimming(\.isBlank))) }
}

extension String {
    /// The elements of a list field (RFC 9110 §5.6.1), without blanks around them; commas in quotes do not separate.
    ///
    /// If a quote has no end, every comma separates, so that the elements after the quote are not lost.
    var listElements: [String] {
        let (parts, isQuoteOpen) = unicodeScalars.splitOutsideQuotes(at: ",")
        let elements = isQuoteOpen ? unicodeScalars.split(separator: ",") : parts
        return elements.map { String(Substring($0.trimming(\.isBlank))) }.filter { !$0.isEmpty }
    }
}
