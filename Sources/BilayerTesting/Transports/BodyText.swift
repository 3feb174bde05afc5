import Bilayer
import Foundation

/// A body as text.
struct BodyText {
    let text: String
    /// The encoding of the body.
    let encoding: String.Encoding
    /// Whether other bodies can have an equal text. This is the case if no encoding fits the body, or if the text lacks
    /// the body's last, incomplete character.
    var isAmbiguous = false
    /// Whether the client certainly reads the body in this encoding. If false, secrets in the body may not be found.
    var isCertain = true
}

extension BodyText {
    /// Reads a body. First tries UTF-16 and UTF-32, which are detected by their mark or their bytes. Then tries UTF-8,
    /// then Latin-1 if the media type has another charset, or if JSON or a form has no charset.
    ///
    /// The body can end in the middle of a character, for example if the reader left a stream. A text that is not
    /// expected to be Latin-1 is then read as UTF-8 without its last character. JSON in UTF-8 or without a charset is
    /// read in this way, too, if its Latin-1 text is not valid JSON. A text that fits nothing else is read as Latin-1,
    /// which has a character for each byte.
    init?(_ body: Data, _ mediaType: MediaType?) {
        let charset = mediaType?.parameters["charset"]?.lowercased()
        let isJson = mediaType?.isJson == true
        let hasMark = marks.contains { body.starts(with: $0) }
        let mayBeText = charset != nil || mediaType?.isText ?? true
        let isUTF8 = charset.map(namesOfUTF8.contains) ?? true
        let isLatin = charset.map { $0 != "utf-8" } ?? (isJson || mediaType?.isForm == true)
        func cut() -> String? { wholeText(of: body, .utf8, without: [1, 2, 3]) }
        if mayBeText || hasMark, let wide = Self(wide: body, charset, isJson: isJson, hasMark: hasMark) {
            self = wide
        } else if let text = String(data: body, encoding: .utf8) {
            let isCertain = isUTF8 || charset.map(namesOfLatin.contains) ?? false
            self.init(text: text, encoding: .utf8, isCertain: isCertain && !body.dropLast().contains(0))
        } else if isJson, isUTF8, body.isNoJsonOfLatin, let text = cut() {
            self.init(text: text, encoding: .utf8, isAmbiguous: true)
        } else if !isLatin, mayBeText, let text = cut() {
            self.init(text: text, encoding: .utf8, isAmbiguous: true)
        } else if isLatin || mayBeText, let text = String(data: body, encoding: .isoLatin1) {
            let isCertain = charset.map(namesOfLatin.contains) ?? false
            self.init(text: text, encoding: .isoLatin1, isAmbiguous: !isLatin, isCertain: isCertain)
        } else {
            return nil
        }
    }

    /// Reads UTF-16 or UTF-32. In both, ASCII characters contain NULs, which in UTF-32 are more than half of the bytes.
    /// The media type does not state the byte order, and may be wrong. JSON begins with ASCII, and has no NUL in any
    /// other encoding (RFC 8259 §7).
    private init?(wide body: Data, _ charset: String?, isJson: Bool, hasMark: Bool) {
        let start = body.prefix(1_024)
        let zeros = start.enumerated().filter { $0.element == 0 }.map(\.offset)
        let isNamed = ["utf-16", "utf-32"].contains { charset?.hasPrefix($0) == true }
        // A single NUL at the end of JSON does not mean UTF-16 or UTF-32: some servers send the terminator of a C
        // string. But JSON of two bytes, one of them NUL, is one character of UTF-16.
        let endsAsCString = isJson && zeros == [body.count - 1]
        let hasEnough =
            isNamed
            ? !zeros.isEmpty
            : isJson && start.prefix(2).contains(0) || !endsAsCString && zeros.count >= max(start.count / 4, 1)
        guard hasMark || hasEnough else { return nil }
        let hasFour = zeros.count > start.count / 2 || start.starts(with: [0xFF, 0xFE, 0, 0])
        let oddZeros = zeros.count(where: { !$0.isMultiple(of: 2) })
        let isLittle = isJson ? start.first != 0 : oddZeros > zeros.count / 2
        let encoding: String.Encoding =
            switch (hasFour, hasMark) {
            case (true, true): .utf32
            case (true, false): isLittle ? .utf32LittleEndian : .utf32BigEndian
            case (false, true): .utf16
            case (false, false): isLittle ? .utf16LittleEndian : .utf16BigEndian
            }
        let unit = hasFour ? 4 : 2
        let missing = body.count % unit
        // The last whole unit may also be incomplete, because a character outside of the basic plane has two units in
        // UTF-16.
        guard let text = wholeText(of: body, encoding, without: [missing, missing + unit]),
            !text.unicodeScalars.contains("\0")
        else { return nil }
        let isCertain = !isJson || (try? Json(parsing: text)) != nil
        self.init(text: text, encoding: encoding, isAmbiguous: missing > 0, isCertain: isCertain)
    }
}

/// The byte order marks of UTF-16 and UTF-32.
private let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]]

private let namesOfUTF8: Set<String> = ["utf-8", "utf8", "us-ascii", "ascii"]
private let namesOfLatin: Set<String> = ["iso-8859-1", "latin1", "windows-1252", "cp1252"]

/// Returns the text of a body without its last bytes, which may be an incomplete character. Tries the numbers of bytes
/// in `counts` in order.
private func wholeText(of body: Data, _ encoding: String.Encoding, without counts: [Int]) -> String? {
    counts.lazy.compactMap { String(data: body.dropLast($0), encoding: encoding) }.first
}

extension Data {
    fileprivate var isNoJsonOfLatin: Bool {
        String(data: self, encoding: .isoLatin1).map { (try? Json(parsing: $0)) == nil } ?? true
    }
}

extension MediaType {
    fileprivate var isText: Bool {
        essence.hasPrefix("text/")
            || ["json", "xml", "script", "graphql", "yaml", "form"].contains { essence.contains($0) }
    }
    var isForm: Bool { essence == "application/x-www-form-urlencoded" }
}
