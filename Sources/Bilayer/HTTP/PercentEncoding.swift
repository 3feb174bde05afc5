/// A set of ASCII characters that need no escape in a part of an address, with one bit for each character.
struct UnescapedCharacters: Sendable {
    private let low: UInt64
    private let high: UInt64

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    private init(_ characters: String) {
        var (low, high) = (UInt64(0), UInt64(0))
        for byte in characters.utf8 where byte < 64 { low |= 1 << UInt64(byte) }
        for byte in characters.utf8 where byte >= 64 { high |= 1 << UInt64(byte & 63) }
        self.init(low: low, high: high)
    }

    private func union(_ other: Self) -> Self { Self(low: low | other.low, high: high | other.high) }

    /// Returns whether a byte is one of the characters.
    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }

    /// The characters that never need an escape (RFC 3986 §2.3).
    static let unreserved = Self("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    /// The characters that need no escape in a form: the complement of WHATWG URL's application/x-www-form-urlencoded
    /// percent-encode set.
    static let form = Self("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")
    /// The characters of an escaped path, including the `%` of its escapes (RFC 3986 §3.3).
    static let path = unreserved.union(Self("/!$&'()*+,;=:@%"))
    /// The characters of an escaped query. They include `+`, whose meaning depends on the server.
    static let queryText = path.union(Self("?"))
}

extension StringProtocol {
    /// Returns the text with an escape for each byte of its UTF-8 that is not one of the given characters.
    func percentEncoded(keeping unescaped: UnescapedCharacters) -> String {
        if utf8.allSatisfy(unescaped.contains) { return String(self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count * 3)
        for byte in utf8 {
            if unescaped.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the text with the escapes of some bytes resolved. In the other escapes, the hexadecimal digits become
    /// capital.
    func resolvingEscapes(of isResolved: (UInt8) -> Bool) -> String {
        guard utf8.contains(UInt8(ascii: "%")) else { return String(self) }
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let escaped = byteOfDigits(rest.prefix(2)) else {
                bytes.append(byte)
                continue
            }
            rest = rest.dropFirst(2)
            bytes += isResolved(escaped) ? [escaped] : [byte, hexDigit(escaped >> 4), hexDigit(escaped & 15)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the text is a valid part of an address: it has only the given characters, and two hexadecimal digits
    /// follow each `%`. Foundation ends the process if any other text is set as a percent-encoded part of
    /// `URLComponents`.
    func isPercentEncoded(keeping unescaped: UnescapedCharacters) -> Bool {
        utf8.allSatisfy(unescaped.contains) && !hasIncompleteEscape
    }

    /// Whether the text contains a `%` that is not followed by two hexadecimal digits.
    var hasIncompleteEscape: Bool {
        var missingDigits = 0
        for byte in utf8 {
            if missingDigits > 0 {
                guard isHexDigit(byte) else { return true }
                missingDigits -= 1
            } else if byte == UInt8(ascii: "%") {
                missingDigits = 2
            }
        }
        return missingDigits > 0
    }

    /// The text with `%25` for each `%` that is not followed by two hexadecimal digits. Complete escapes are preserved.
    var escapingIncompleteEscapes: String {
        guard hasIncompleteEscape else { return String(self) }
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            bytes.append(byte)
            if byte == UInt8(ascii: "%"), byteOfDigits(rest.prefix(2)) == nil { bytes += Array("25".utf8) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a server could interpret a segment of the path as `.` or `..`. Servers unescape at different times, so
    /// escaped dots, slashes, backslashes and semicolons are treated like unescaped ones. Dots with parameters
    /// (`..;v=1`) are also relative segments.
    var hasRelativeSegment: Bool {
        guard utf8.contains(UInt8(ascii: ".")) || utf8.contains(UInt8(ascii: "%")) else { return false }
        return unescapingSeparators.split { $0 == "/" || $0 == "\\" }
            .contains { segment in [".", ".."].contains(segment.prefix { $0 != ";" }) }
    }

    /// The text with the escapes of `.`, `/`, `\` and `;` resolved.
    private var unescapingSeparators: String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            bytes.append(byte)
            guard let separator = separator(escapedAs: bytes.suffix(3)) else { continue }
            bytes.removeLast(3)
            bytes.append(separator)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension StringProtocol {
    var trimmingLeadingSlashes: SubSequence {
        self[(utf8.firstIndex { $0 != UInt8(ascii: "/") } ?? endIndex)...]
    }

    var trimmingSlashes: SubSequence {
        var text = trimmingLeadingSlashes
        while text.last == "/" { text.removeLast() }
        return text
    }
}

/// Returns the character of an escape if it is `.`, `/`, `\` or `;`, otherwise nil.
private func separator(escapedAs escape: ArraySlice<UInt8>) -> UInt8? {
    guard escape.first == UInt8(ascii: "%") else { return nil }
    return switch String(decoding: escape, as: UTF8.self) {
    case "%2e", "%2E": UInt8(ascii: ".")
    case "%2f", "%2F": UInt8(ascii: "/")
    case "%5c", "%5C": UInt8(ascii: "\\")
    case "%3b", "%3B": UInt8(ascii: ";")
    default: nil
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
}

/// Returns the byte that two hexadecimal digits represent; `nil` for other texts.
private func byteOfDigits(_ digits: ArraySlice<UInt8>) -> UInt8? {
    guard digits.count == 2, digits.allSatisfy(isHexDigit) else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
}

private func isHexDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
        UInt8(ascii: "a")...UInt8(ascii: "f"):
        true
    default: false
    }
}
