/// Tracks the strings and brackets of a JSON text byte by byte.
struct BracketStack: Sendable {
    private static let maximumLevels = 1_000

    /// The kind of a byte.
    enum Role {
        /// Inside a string, its quotes included.
        case string
        case opening, closing
        /// Anything else.
        case other
    }

    private(set) var isObject: [Bool] = []
    private var isInString = false
    private var isEscaped = false

    var depth: Int { isObject.count }
    var isWithinString: Bool { isInString }

    /// The brackets that the text lacks, for an error: `1 bracket`.
    var missingText: String { depth == 1 ? "1 bracket" : "\(depth) brackets" }

    /// Returns the index of the next quote, backslash or escaped byte, or the number of bytes if there is none.
    func skipString(in bytes: [UInt8], from index: Int) -> Int {
        var index = index
        if isEscaped { return index }
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") { index += 1 }
        return index
    }

    /// Takes the next byte.
    /// - Throws: ``StreamFormatError`` for a bracket that does not match, and for too many levels.
    mutating func take(_ byte: UInt8) throws -> Role {
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return .string
        }
        switch byte {
        case UInt8(ascii: "\""):
            isInString = true
            return .string
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard isObject.count < Self.maximumLevels else {
                throw StreamFormatError("found more levels, expected at most \(Self.maximumLevels)")
            }
            isObject.append(byte == UInt8(ascii: "{"))
            return .opening
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            let closesObject = byte == UInt8(ascii: "}")
            guard isObject.popLast() == closesObject else {
                throw StreamFormatError("found \(closesObject ? "}" : "]"), expected another bracket")
            }
            return .closing
        default: return .other
        }
    }
}

/// Whether a byte is white space (RFC 8259 §2).
func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
