import Foundation

/// Which encodings a response of text may have, such as JSON: a setting of a client, a route or a call.
///
/// ```swift
/// let route = Route<Json>.get("health").with(option: CharsetPolicy.onlyUTF8)
/// ```
public enum CharsetPolicy: Sendable, Hashable, CallOption {
    /// Text in UTF-16, ISO 8859-1 and Windows-1252 is converted. The default.
    ///
    /// A byte order mark decides, then the parameter `charset`, else it is UTF-8. As in browsers, `iso-8859-1` is read
    /// as Windows-1252 (WHATWG Encoding §4.2). An unknown charset is an error.
    case converting
    /// UTF-8 with or without a byte order mark (RFC 8259 §8.1); any other is an error.
    case onlyUTF8
}

extension HTTPResponse {
    /// The bytes of a body of text in UTF-8.
    func textBody(in context: CallContext) throws -> Data {
        try Charset.utf8(of: self, context.options[CharsetPolicy.self] ?? .converting)
    }
}

/// The encoding of a body of text.
private enum Charset {
    case utf8, utf16BigEndian, utf16LittleEndian, windows1252

    /// The bytes of a text in UTF-8, without a byte order mark.
    /// - Throws: ``MappingError`` if the encoding is unknown, refused by the policy, or if the bytes are not of it.
    static func utf8(of response: HTTPResponse, _ policy: CharsetPolicy) throws -> Data {
        let body = response.body
        let mark = mark(of: body)
        let charset = try mark ?? named(name(in: response), body)
        if charset == .utf8 { return mark == nil ? body : Data(body.dropFirst(3)) }
        if policy == .onlyUTF8 {
            throw MappingError(MappingIssue(.invalidValue, expected: "UTF-8", found: .init(type: charset.label)))
        }
        return try charset.converted(body)
    }

    /// The parameter of the media type. Most types are recognized without reading them as a whole.
    private static func name(in response: HTTPResponse) -> String? {
        guard let text = response.headers[.contentType], text.utf8.contains(UInt8(ascii: "=")) else { return nil }
        return response.mediaType?.parameters["charset"]?.lowercased()
    }

    private static func mark(of body: Data) -> Charset? {
        guard let first = body.first, first >= 0xEF else { return nil }
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
        if body.starts(with: [0xFE, 0xFF]) { return .utf16BigEndian }
        return body.starts(with: [0xFF, 0xFE]) ? .utf16LittleEndian : nil
    }

    private static func named(_ name: String?, _ body: Data) throws -> Charset {
        switch name {
        case nil, "utf-8", "utf8", "us-ascii", "ascii": return .utf8
        case "utf-16be": return .utf16BigEndian
        case "utf-16le": return .utf16LittleEndian
        // Texts of the web begin with an ASCII character. Without a zero it is the order that browsers assume.
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

    private func converted(_ body: Data) throws -> Data {
        var text = Data()
        text.reserveCapacity(body.count)
        if self == .windows1252 {
            for byte in body { text.append(contentsOf: Unicode.Scalar(codePoint(of: byte)).map(utf8Bytes) ?? []) }
            return text
        }
        let bytes = Array(body)
        let high = self == .utf16BigEndian ? 0 : 1
        var units = stride(from: 0, to: bytes.count - 1, by: 2)
            .map { place in
                UInt16(bytes[place + high]) << 8 | UInt16(bytes[place + 1 - high])
            }
        if units.first == 0xFEFF { units.removeFirst() }
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

/// The code point of a byte; only those from 0x80 to 0x9F differ (WHATWG Encoding, index windows-1252).
private func codePoint(of byte: UInt8) -> UInt32 {
    (0x80...0x9F).contains(byte) ? specials[Int(byte) - 0x80] : UInt32(byte)
}

private let specials: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
]
