import Foundation

extension HTTPResponse {
    /// Returns a text body as UTF-8. A body in UTF-8 is not checked.
    func textBody(in context: CallContext) throws -> Data {
        let policy = context.options[CharsetPolicy.self] ?? .converting
        let (charset, markLength) = try Charset.found(in: self, beginningWith: body, policy)
        return try charset.converted(markLength == 0 ? body : Data(body.dropFirst(markLength)))
    }
}

/// The encoding of a text body.
enum Charset {
    case utf8, utf16BigEndian, utf16LittleEndian, windows1252

    /// The smallest first byte of a byte order mark.
    static let firstOfMarks: UInt8 = 0xEF
    /// The length of the longest byte order mark, in bytes.
    static let longestMark = 3

    /// Finds the encoding of a text by its byte order mark, or else by the media type.
    /// - Parameters:
    ///   - response: The response with the text.
    ///   - start: The text, or at least its first ``longestMark`` bytes.
    ///   - policy: The encodings that are allowed.
    /// - Returns: The encoding, and the length of the mark; 0 if there is none.
    /// - Throws: ``MappingError`` if the encoding is unknown, or refused by the policy.
    static func found(
        in response: HTTPResponse,
        beginningWith start: Data,
        _ policy: CharsetPolicy
    ) throws -> (charset: Charset, markLength: Int) {
        let mark = mark(of: start)
        let charset = try mark ?? named(name(in: response), start)
        if charset != .utf8, policy == .onlyUTF8 {
            throw MappingError(MappingIssue(.invalidValue, expected: "UTF-8", found: .init(type: charset.label)))
        }
        return (charset, mark == nil ? 0 : charset == .utf8 ? 3 : 2)
    }

    /// Returns the charset of the media type. A media type without parameters, which is the usual case, is not parsed.
    private static func name(in response: HTTPResponse) -> String? {
        guard let text = response.headers[.contentType], text.utf8.contains(UInt8(ascii: "=")) else { return nil }
        return response.mediaType?.parameters["charset"]?.lowercased()
    }

    /// Returns the encoding that a byte order mark states; `nil` without a mark.
    private static func mark(of body: Data) -> Charset? {
        guard let first = body.first, first >= firstOfMarks else { return nil }
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        if body.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        return body.starts(with: [0xFF, 0xFE]) ? .utf16LittleEndian : nil
    }

    /// Returns the encoding that a media type names; UTF-8 if it names none.
    /// - Throws: ``MappingError`` if the encoding is unknown.
    private static func named(_ name: String?, _ body: Data) throws -> Charset {
        switch name {
        case nil, "utf-8", "utf8", "us-ascii", "ascii": return .utf8
        case "utf-16be": return .utf16BigEndian
        case "utf-16le": return .utf16LittleEndian
        // Texts of the web begin with an ASCII character, so a zero comes first only in big-endian order. Without this
        // zero, browsers assume little-endian order.
        case "utf-16": return body.first == 0 ? .utf16BigEndian : .utf16LittleEndian
        case "iso-8859-1", "latin1", "windows-1252", "cp1252": return .windows1252
        case let name?:
            let expected = "charset utf-8, utf-16, iso-8859-1 or windows-1252"
            throw MappingError(
                MappingIssue(
                    .invalidValue,
                    expected: expected,
                    found: .init(type: "charset \(tokenCharacters(of: name))")
                )
            )
        }
    }

    private var label: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16BigEndian, .utf16LittleEndian: "UTF-16"
        case .windows1252: "windows-1252"
        }
    }

    /// Returns the length of the longest prefix that ``converted(_:)`` accepts. In UTF-16 the prefix ends with a whole
    /// character. In the other encodings any part is accepted, so the prefix is the whole of `start`.
    func completeCount(of start: Data) -> Int {
        guard self == .utf16BigEndian || self == .utf16LittleEndian else { return start.count }
        let count = start.count - start.count % 2
        guard count >= 2 else { return 0 }
        let last = start[start.startIndex + count - (self == .utf16BigEndian ? 2 : 1)]
        // A prefix must not end with the first half of a surrogate pair.
        return (0xD8...0xDB).contains(last) ? count - 2 : count
    }

    /// Converts bytes to UTF-8. Bytes of UTF-8 are returned unchecked.
    /// - Parameter body: Bytes of this encoding, without a byte order mark.
    /// - Returns: The text in UTF-8.
    /// - Throws: ``MappingError`` if the encoding is UTF-16, and the bytes are not valid in it.
    func converted(_ body: Data) throws -> Data {
        if self == .utf8 { return body }
        var text = Data()
        text.reserveCapacity(body.count)
        if self == .windows1252 {
            for byte in body { text.append(contentsOf: Unicode.Scalar(codePoint(of: byte)).map(utf8Bytes) ?? []) }
            return text
        }
        let bytes = Array(body)
        let high = self == .utf16BigEndian ? 0 : 1
        let units = stride(from: 0, to: bytes.count - 1, by: 2)
            .map { index in
                UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high])
            }
        let isBroken = transcode(
            units.makeIterator(),
            from: UTF16.self,
            to: UTF8.self,
            stoppingOnError: true,
            into: { text.append($0) }
        )
        guard !isBroken, bytes.count.isMultiple(of: 2) else {
            throw MappingError(MappingIssue(.invalidValue, expected: "UTF-16"))
        }
        return text
    }
}

private func utf8Bytes(_ scalar: Unicode.Scalar) -> [UInt8] { Array(UTF8.encode(scalar) ?? .init()) }

/// Returns the code point of a byte in Windows-1252. The code point differs from the byte only between 0x80 and 0x9F
/// (WHATWG Encoding, index windows-1252).
private func codePoint(of byte: UInt8) -> UInt32 {
    (0x80...0x9F).contains(byte) ? specials[Int(byte) - 0x80] : UInt32(byte)
}

private let specials: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
]
