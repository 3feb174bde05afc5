#if os(Linux)
/// A line of a request's head for libcurl.
enum CurlLine {
    case text(String)
    /// The bytes, with a zero byte at their end.
    case bytes([UInt8])

    /// The fields with an entity tag of the server, or with a list of them.
    private static let conditions: Set<HTTPHeaders.Name> = [.ifNoneMatch, "If-Match", "If-Range"]

    /// Makes the line of a field. An entity tag is written with the bytes that were received (``String/init(line:)``).
    init(_ field: HTTPHeaders.Field) {
        let isBlank = field.value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        let line = isBlank ? "\(field.name.rawValue);" : "\(field.name.rawValue): \(field.value)"
        if Self.conditions.contains(field.name), let bytes = line.latinBytes {
            self = .bytes(bytes + [0])
        } else {
            self = .text(line)
        }
    }

    /// Calls a closure with the line as a terminated text.
    func withBytes<Value>(_ body: (UnsafePointer<CChar>) -> Value) -> Value {
        switch self {
        // Bound: the pointers are valid for the time of the call.
        case .text(let text): return unsafe text.withCString(body)
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBufferPointer { buffer in
                // Bound: the case has one byte at least.
                unsafe buffer.withMemoryRebound(to: CChar.self) { unsafe body($0.baseAddress.unsafelyUnwrapped) }
            }
        }
    }
}

extension String {
    /// Reads a line of a response's head.
    ///
    /// A field value is UTF-8, or else ISO-8859-1 (RFC 9110 §5.5). Two kinds of values are sent back to the server
    /// later, with the bytes that were received. An entity tag is always read and written as ISO-8859-1 (``CurlLine``).
    /// In an address that is not UTF-8, the bytes beyond ASCII are escaped.
    /// - Parameter bytes: The line with its end.
    init(line bytes: UnsafeRawBufferPointer) {
        // Bound: the bytes are read during the call.
        guard unsafe bytes.contains(where: { $0 > 0x7F }) else {
            unsafe self.init(decoding: bytes, as: UTF8.self)
            return
        }
        let name = unsafe String(decoding: bytes.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
        if name != "etag", let text = unsafe String(validating: bytes, as: UTF8.self) {
            self = text
        } else if name == "location" || name == "content-location" {
            self = unsafe bytes.map { $0 > 0x7F ? "%" + String($0, radix: 16, uppercase: true) : $0.character }.joined()
        } else {
            self = unsafe bytes.map(\.character).joined()
        }
    }

    /// The text as ISO-8859-1; `nil` if the text is ASCII, or has a character that ISO-8859-1 lacks.
    fileprivate var latinBytes: [UInt8]? {
        if utf8.allSatisfy({ $0 < 0x80 }) { return nil }
        let bytes = unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == unicodeScalars.count ? bytes : nil
    }
}

extension UInt8 {
    /// The character of the byte in ISO-8859-1.
    fileprivate var character: String { String(Unicode.Scalar(self)) }
}
#endif
