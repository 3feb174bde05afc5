/// The reason why a text is not valid JSON, and the location of the first fault.
///
/// ```swift
/// do {
///     _ = try Json(parsing: #"{"a": tru}"#)
/// } catch {
///     print(error)     // line 1, column 7 (byte 6): expected a value, found a letter
/// }
/// ```
///
/// The error shows the byte that was found, or only its class, such as `a letter`. It never shows other contents of the
/// text.
public struct JsonSyntaxError: Error, Sendable, Hashable {
    /// The offset of the byte that is not allowed, counted from 0. For a part that is not allowed as a whole, such as a
    /// misspelled literal or a repeated key, it is the offset of its first byte. It is the length of the text if the
    /// text ends too early, and 0 if the text is too long.
    public let byteOffset: Int
    /// The line of the byte at ``byteOffset``, counted from 1. A line feed ends a line.
    public let line: Int
    /// The column of the byte at ``byteOffset`` in its line, counted in bytes from 1.
    public let column: Int
    /// A noun phrase for what was expected: `a value`, `":" after the key`.
    public let expected: String
    /// A noun phrase for what was found: `the end of the text`, `a letter`, `"}"`.
    public let found: String

    /// Makes an error for a custom parser or a test.
    /// - Parameters:
    ///   - byteOffset: The offset of the byte, counted from 0.
    ///   - line: Its line, counted from 1.
    ///   - column: Its column in bytes, counted from 1.
    ///   - expected: A noun phrase for what was expected.
    ///   - found: A noun phrase for what was found, without payload values.
    public init(byteOffset: Int, line: Int, column: Int, expected: String, found: String) {
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
    }
}

extension JsonSyntaxError: Redacted {
    /// The text of the error, for example `line 3, column 14 (byte 52): expected a value, found "}"`.
    public var description: String {
        "line \(line), column \(column) (byte \(byteOffset)): expected \(expected), found \(found)"
    }
}

extension JsonSyntaxError {
    /// Makes the error for a fault in a text. Counting lines is slow, and is only done here.
    init(_ fault: SyntaxFault, in bytes: JsonBytes) {
        let offset = min(fault.offset, bytes.count)
        let location = bytes.lineAndColumn(at: offset)
        self.init(
            byteOffset: offset,
            line: location.line,
            column: location.column,
            expected: fault.reason.expectation,
            found: fault.reason.finding ?? bytes.describe(at: offset)
        )
    }
}

extension JsonBytes {
    /// Returns the line and the column of a byte, both counted from 1. The column is counted in bytes.
    func lineAndColumn(at offset: Int) -> (line: Int, column: Int) {
        var line = 1
        var start = 0
        for position in 0..<offset where self[position] == Ascii.newline {
            line += 1
            start = position + 1
        }
        return (line, offset - start + 1)
    }

    /// Returns a description of the byte at an offset: a class such as `a letter`, punctuation itself, or a hexadecimal
    /// number.
    fileprivate func describe(at offset: Int) -> String {
        guard offset < count else { return "the end of the text" }
        let byte = self[offset]
        switch byte {
        case 0x30...0x39: return "a digit"
        case 0x41...0x5A, 0x61...0x7A: return "a letter"
        case Ascii.newline, Ascii.carriageReturn: return "the end of the line"
        case 0x00...0x20, 0x7F...0xFF:
            return "the byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        case Ascii.quote: return "a quote"
        default: return "\"\(Character(Unicode.Scalar(byte)))\""
        }
    }
}

extension SyntaxFault.Reason {
    /// The phrase for what was expected.
    fileprivate var expectation: String {
        switch self {
        case .value: "a value"
        case .key: "a key in quotes"
        case .colon: "\":\" after the key"
        case .commaOrClose(let isObject): isObject ? "\",\" or \"}\"" : "\",\" or \"]\""
        case .endOfText: "more"
        case .nothingMore: "the end of the text"
        case .digit: "a digit"
        case .leadingZero: "a number without leading zeros"
        case .closingQuote: "a closing quote"
        case .unescapedControlCharacter: "control characters as escapes"
        case .escapeCharacter: "one of \" \\ / b f n r t u after a backslash"
        case .hexDigits: "four hexadecimal digits"
        case .surrogatePair: "a high surrogate followed by a low one"
        case .utf8: "well-formed UTF-8"
        case .depth(let limit): "at most \(limit) containers inside one another"
        case .size: MemoryLayout<Int>.size == 8 ? "at most 2.8 GB" : "at most 64 MB"
        case .duplicateKey: "keys that differ"
        case .noByteOrderMark: "a text without byte order mark"
        }
    }

    /// The phrase for what was found; nil if the byte at the offset determines the phrase.
    fileprivate var finding: String? {
        switch self {
        case .leadingZero: "a zero before another digit"
        case .surrogatePair: "half a pair"
        case .depth: "one more"
        case .size: "more"
        case .duplicateKey: "the same key again"
        case .noByteOrderMark: "the bytes EF BB BF"
        default: nil
        }
    }
}
