// The segments of a path, and the slashes around them.
extension StringProtocol {
    /// Whether a server could interpret a segment of the path as `.` or `..`. Servers unescape at different times, so
    /// escaped dots, slashes and backslashes are treated like unescaped ones. Dots with parameters (`..;v=1`) are also
    /// relative segments.
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
