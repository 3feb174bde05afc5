/// JSON that is read in the plainest way, by the rules of RFC 8259 and without the library's code. The parser is
/// compared with this reader, which is slow and recursive, and follows the order of the standard.
indirect enum ReferenceJson {
    case null
    case bool(Bool)
    /// A number's text.
    case number(ArraySlice<UInt8>)
    /// A string's bytes, escapes resolved.
    case string([UInt8])
    case array([ReferenceJson])
    case object([(key: [UInt8], value: ReferenceJson)])
}

/// Reads one text. Every reading function begins before a production of the standard and ends behind it.
struct ReferenceReader {
    private struct Refusal: Error {}

    private let bytes: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var depth = 0

    /// The value of a text, nil if it is not JSON or deeper than the limit.
    static func read(_ bytes: [UInt8], maximumDepth: Int) -> ReferenceJson? {
        var reader = ReferenceReader(bytes: bytes, maximumDepth: maximumDepth)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        return try? reader.readText()
    }

    private init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take() throws -> UInt8 {
        guard let byte = next else { throw Refusal() }
        position += 1
        return byte
    }

    private mutating func take(_ text: StaticString) throws {
        for expected in text.description.utf8 where try take() != expected { throw Refusal() }
    }

    private mutating func takeIf(_ wanted: Character) -> Bool {
        guard next == wanted.asciiValue else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
    }

    /// §2: `JSON-text = ws value ws`
    private mutating func readText() throws -> ReferenceJson {
        skipBlanks()
        let value = try readValue()
        skipBlanks()
        if next != nil { throw Refusal() }
        return value
    }

    /// §3
    private mutating func readValue() throws -> ReferenceJson {
        switch next.map(Unicode.Scalar.init) {
        case "{": return try readObject()
        case "[": return try readArray()
        case "\"": return .string(try readString())
        case "t":
            try take("true")
            return .bool(true)
        case "f":
            try take("false")
            return .bool(false)
        case "n":
            try take("null")
            return .null
        default: return .number(try readNumber())
        }
    }

    /// §4
    private mutating func readObject() throws -> ReferenceJson {
        try open()
        var members: [(key: [UInt8], value: ReferenceJson)] = []
        if !takeIf("}") {
            repeat {
                skipBlanks()
                let key = try readString()
                skipBlanks()
                try take(":")
                skipBlanks()
                members.append((key, try readValue()))
                skipBlanks()
            } while takeIf(",")
            try take("}")
        }
        depth -= 1
        return .object(members)
    }

    /// §5
    private mutating func readArray() throws -> ReferenceJson {
        try open()
        var elements: [ReferenceJson] = []
        if !takeIf("]") {
            repeat {
                skipBlanks()
                elements.append(try readValue())
                skipBlanks()
            } while takeIf(",")
            try take("]")
        }
        depth -= 1
        return .array(elements)
    }

    private mutating func open() throws {
        position += 1
        depth += 1
        if depth > maximumDepth { throw Refusal() }
        skipBlanks()
    }

    /// §6: `number = [ minus ] int [ frac ] [ exp ]`
    private mutating func readNumber() throws -> ArraySlice<UInt8> {
        let start = position
        _ = takeIf("-")
        if !takeIf("0") { try readDigits() }
        if takeIf(".") { try readDigits() }
        if takeIf("e") || takeIf("E") {
            if !takeIf("+") { _ = takeIf("-") }
            try readDigits()
        }
        return bytes[start..<position]
    }

    private mutating func readDigits() throws {
        let start = position
        while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
        if position == start { throw Refusal() }
    }

    /// §7. The standard library decides whether the text is UTF-8. An escape must not be half a surrogate pair.
    private mutating func readString() throws -> [UInt8] {
        try take("\"")
        var result: [UInt8] = []
        while true {
            let byte = try take()
            switch byte {
            case 0x22:
                guard String(validating: result, as: UTF8.self) != nil else { throw Refusal() }
                return result
            case 0x5C: result += try readEscape()
            case ..<0x20: throw Refusal()
            default: result.append(byte)
            }
        }
    }

    private mutating func readEscape() throws -> [UInt8] {
        switch Unicode.Scalar(try take()) {
        case "\"": return [0x22]
        case "\\": return [0x5C]
        case "/": return [0x2F]
        case "b": return [0x08]
        case "f": return [0x0C]
        case "n": return [0x0A]
        case "r": return [0x0D]
        case "t": return [0x09]
        case "u":
            var units = [try readUnit()]
            if UTF16.isLeadSurrogate(units[0]) {
                try take("\\u")
                units.append(try readUnit())
            }
            guard let text = String(validating: units, as: UTF16.self) else { throw Refusal() }
            return Array(text.utf8)
        default: throw Refusal()
        }
    }

    private mutating func readUnit() throws -> UInt16 {
        let digits = [try take(), try take(), try take(), try take()]
        guard !digits.contains(0x2B), !digits.contains(0x2D),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Refusal() }
        return unit
    }
}
