import Bilayer

/// Splits a GraphQL text into tokens (GraphQL §2.1). Skips commas, comments and white space.
struct GraphQLLexer {
    /// A token and its line.
    struct Token: Equatable {
        enum Kind: Equatable {
            case name
            case punctuator
            case number
            case string
            case end
        }

        let kind: Kind
        /// The text of the token. For a string, the content between its quotes, as written.
        let text: String
        /// The line of the token, counted from 1.
        let line: Int
        /// The bytes of the token in the text, with the quotes of a string.
        let place: Range<Int>

        /// The token as an error shows it.
        var shown: String { kind == .end ? "the end" : kind == .string ? "a string" : "\"\(text)\"" }
    }

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    private init(_ text: String) { bytes = Array(text.utf8) }

    /// Returns all tokens of a text. The last token marks the end of the text.
    static func tokens(of text: String) throws -> [Token] {
        var lexer = GraphQLLexer(text)
        var tokens: [Token] = []
        repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
        return tokens
    }

    private mutating func next() throws -> Token {
        skipIgnored()
        guard position < bytes.count else { return Token(kind: .end, text: "", line: line, place: position..<position) }
        let byte = bytes[position]
        if byte == UInt8(ascii: "\"") { return try string() }
        if byte.isNameByte, !byte.isDigit { return token(.name) { $0.isNameByte } }
        if byte.isDigit || byte == UInt8(ascii: "-") { return try number() }
        if bytes[position...].starts(with: "...".utf8) { return punctuator(3) }
        guard "!$&()*:=@[]{|}".utf8.contains(byte) else {
            throw GraphQLSyntaxError(line: line, found: "an unknown character", expected: "a name or a punctuator")
        }
        return punctuator(1)
    }

    private mutating func skipIgnored() {
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: "#"):
                while position < bytes.count, !"\r\n".utf8.contains(bytes[position]) { position += 1 }
                continue
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: ","): break
            // Skips a byte order mark.
            case 0xEF where bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]): position += 2
            default: return
            }
            position += 1
        }
    }

    private mutating func token(_ kind: Token.Kind, while belongs: (UInt8) -> Bool) -> Token {
        let start = position
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        return Token(kind: kind, text: text, line: line, place: start..<position)
    }

    private mutating func punctuator(_ count: Int) -> Token {
        defer { position += count }
        return Token(
            kind: .punctuator,
            text: String(decoding: bytes[position..<position + count], as: UTF8.self),
            line: line,
            place: position..<position + count
        )
    }

    /// Reads a number, which is written as in JSON. No letter, digit or dot may follow it (GraphQL §2.9.1, §2.9.2).
    private mutating func number() throws -> Token {
        let start = position
        position += 1
        while position < bytes.count {
            let isExponent = bytes[position - 1] | 0x20 == UInt8(ascii: "e")
            let isSign = isExponent && "+-".utf8.contains(bytes[position])
            guard bytes[position].isNameByte || bytes[position] == UInt8(ascii: ".") || isSign else { break }
            position += 1
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard (try? Json(parsing: text)) != nil else {
            throw GraphQLSyntaxError(line: line, found: "\"\(text)\"", expected: "a number")
        }
        return Token(kind: .number, text: text, line: line, place: start..<position)
    }

    /// Reads a string or a block string (GraphQL §2.9.4). Escapes are not decoded, because the checks use only the text
    /// as it is written.
    private mutating func string() throws -> Token {
        let first = line
        let isBlock = bytes[position...].starts(with: "\"\"\"".utf8)
        let mark = Array((isBlock ? "\"\"\"" : "\"").utf8)
        position += mark.count
        let start = position
        while position < bytes.count, !bytes[position...].starts(with: mark) {
            if !isBlock, "\r\n".utf8.contains(bytes[position]) { break }
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            let isEscape = bytes[position] == UInt8(ascii: "\\")
            if isBlock {
                position += isEscape && bytes[(position + 1)...].starts(with: mark) ? 4 : 1
            } else {
                position += isEscape ? try escapeLength() : 1
            }
        }
        guard bytes[position...].starts(with: mark) else {
            throw GraphQLSyntaxError(line: first, found: "a string without an end", expected: "its quotation marks")
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        position += mark.count
        return Token(kind: .string, text: text, line: first, place: start - mark.count..<position)
    }
}

extension GraphQLLexer {
    /// Returns the length of the string escape at the current position.
    private func escapeLength() throws -> Int {
        let rest = bytes[(position + 1)...]
        if let first = rest.first, #""\/bfnrt"#.utf8.contains(first) { return 2 }
        if rest.first == UInt8(ascii: "u") {
            let code = rest.dropFirst()
            if code.prefix(4).count == 4, code.prefix(4).allSatisfy(\.isHexadecimal) { return 6 }
            let digits = code.dropFirst().prefix { $0.isHexadecimal }
            let end = digits.endIndex
            if code.first == UInt8(ascii: "{"), !digits.isEmpty, end < rest.endIndex, rest[end] == UInt8(ascii: "}") {
                return end + 1 - position
            }
        }
        throw GraphQLSyntaxError(line: line, found: "an unknown escape in a string", expected: "one of GraphQL")
    }
}

/// The error of a schema or document that is not valid GraphQL.
struct GraphQLSyntaxError: Error, CustomStringConvertible {
    /// The line of the error, counted from 1.
    let line: Int
    let found: String
    let expected: String

    var description: String { "line \(line): found \(found), expected \(expected)" }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isHexadecimal: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
    }

    fileprivate var isNameByte: Bool {
        isDigit || self == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
