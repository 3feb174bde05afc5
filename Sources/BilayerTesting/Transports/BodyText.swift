import Bilayer
import Foundation

/// A body as text.
struct BodyText {
    let text: String
    /// The encoding of the body.
    let encoding: String.Encoding
    /// Whether other bodies have this text, too, because it has no encoding that fits, or lacks the last character.
    var isGuess = false
}

extension BodyText {
    /// Reads UTF-16 and UTF-32 by their bytes, then UTF-8, then Latin-1 if the media type has another charset.
    ///
    /// Text in none of these, such as a stream that was left in the middle of a character, is UTF-8 without its last
    /// character, or Latin-1, which has a character for each byte.
    init?(_ body: Data, _ mediaType: MediaType?) {
        let charset = mediaType?.parameters["charset"]?.lowercased()
        let mayBeText = charset != nil || mediaType?.isText ?? true
        let isLatin = charset.map { $0 != "utf-8" } ?? (mediaType?.isJson == true || mediaType?.isForm == true)
        if mayBeText, let wide = Self(wide: body, charset) {
            self = wide
        } else if let text = String(data: body, encoding: .utf8) {
            self.init(text: text, encoding: .utf8)
        } else if !isLatin, mayBeText, let text = wholeText(of: body, .utf8, without: [1, 2, 3]) {
            self.init(text: text, encoding: .utf8, isGuess: true)
        } else if isLatin || mayBeText, let text = String(data: body, encoding: .isoLatin1) {
            self.init(text: text, encoding: .isoLatin1, isGuess: !isLatin)
        } else {
            return nil
        }
    }

    /// Reads characters of two or four bytes. Those of ASCII have NULs, in UTF-32 in more than half of the bytes. The
    /// media type does not say in which order the bytes are, and may be wrong.
    private init?(wide body: Data, _ charset: String?) {
        let start = body.prefix(1_024)
        let zeros = start.enumerated().filter { $0.element == 0 }.map(\.offset)
        let isNamed = ["utf-16", "utf-32"].contains { charset?.hasPrefix($0) == true }
        guard !zeros.isEmpty, isNamed || zeros.count >= start.count / 4 else { return nil }
        let hasFour = zeros.count > start.count / 2
        let isLittle = zeros.count(where: { !$0.isMultiple(of: 2) }) > zeros.count / 2
        let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]]
        let hasMark = marks.contains { body.starts(with: $0) }
        let encoding: String.Encoding =
            switch (hasFour, hasMark) {
            case (true, true): .utf32
            case (true, false): isLittle ? .utf32LittleEndian : .utf32BigEndian
            case (false, true): .utf16
            case (false, false): isLittle ? .utf16LittleEndian : .utf16BigEndian
            }
        let unit = hasFour ? 4 : 2
        let missing = body.count % unit
        // A character outside of the basic plane has two units in UTF-16.
        guard let text = wholeText(of: body, encoding, without: [missing, missing + unit]),
            !text.unicodeScalars.contains("\0")
        else { return nil }
        self.init(text: text, encoding: encoding, isGuess: missing > 0)
    }
}

/// The text of a body whose last bytes are not a whole character.
private func wholeText(of body: Data, _ encoding: String.Encoding, without counts: [Int]) -> String? {
    counts.lazy.compactMap { String(data: body.dropLast($0), encoding: encoding) }.first
}

extension MediaType {
    fileprivate var isText: Bool {
        essence.hasPrefix("text/")
            || ["json", "xml", "script", "graphql", "yaml", "form"].contains { essence.contains($0) }
    }
}
