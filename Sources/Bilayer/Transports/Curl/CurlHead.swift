#if os(Linux)
/// Reads the lines of a response's head, of the interim responses before the head, and of the trailers after the body.
/// The limits apply to all these lines together.
struct CurlHead {
    /// The largest number of fields of a head.
    static let maximumFields = 1_000
    /// The largest size of a head in bytes, including line ends.
    static let maximumBytes = 256 * 1024

    /// Whether the head may change the protocol (RFC 9110 §15.2.2).
    var mayUpgrade = false
    private(set) var status = 0
    /// Whether the protocol always marks the end of a body, as HTTP/2 does.
    private(set) var isHTTP2 = false
    private(set) var headers = HTTPHeaders()
    /// Whether the final head is complete. Lines after it are a trailer.
    private(set) var isComplete = false
    private var size = 0
    private var fieldCount = 0
    /// A field that the next line may continue (RFC 9112 §5.2).
    private var open: (name: Substring, value: String)?

    /// The announced number of body bytes; `nil` if none is announced, or if a response with this status has no body.
    var announcedCount: Int? {
        status == 204 || status == 304 ? nil : headers[.contentLength].flatMap { Int($0) }
    }

    /// Compares the received bytes with the length in the head.
    /// - Parameter count: The number of received bytes, before decompression.
    /// - Returns: Whether these bytes are the whole body; `false` if only the end of the body can show that.
    func isWhole(count: Int) -> Bool {
        guard isComplete else { return false }
        if status == 204 || status == 304 { return true }
        return headers["Transfer-Encoding"] == nil && announcedCount == count
    }

    /// The encodings in which a byte decompresses to about a thousand bytes at most. In other encodings, a few bytes
    /// can decompress to any number, and libcurl would keep these bytes for a slow reader.
    static let boundedEncodings = ["gzip", "deflate"]

    /// Why the body cannot be streamed: it has several encodings, or one other than ``boundedEncodings`` and `x-gzip`.
    /// `nil` if it can.
    var obstacleToStream: String? {
        let encodings = headers.bodyEncodings
        if encodings.isEmpty { return nil }
        if encodings.count == 1, let one = encodings.first, (Self.boundedEncodings + ["x-gzip"]).contains(one) {
            return nil
        }
        let found = encodings.map { tokenCharacters(of: $0) }.joined(separator: ", ")
        return "found a stream in the encoding \(found), expected one of gzip and deflate, or none"
    }

    /// Takes the next line.
    /// - Parameters:
    ///   - text: The line with its end.
    ///   - count: The number of its bytes.
    /// - Throws: ``TransportError`` if the head is invalid, or larger than the limits.
    mutating func receive(_ text: String, count: Int) throws(TransportError) {
        size += count
        guard size <= Self.maximumBytes else {
            let found = isComplete ? "more trailers" : "a longer head"
            throw TransportError(
                .responseTooLarge,
                detail: "found \(found), expected at most \(Self.maximumBytes) bytes"
            )
        }
        if isComplete { return try countField() }
        let line = text.trimmingLineEnd
        if line.isEmpty {
            // Newer versions of libcurl pass on an incomplete line if the connection ends inside the last line end.
            if text.utf8.last == 0x0A { try end() }
        } else if status == 0 {
            try begin(with: line)
        } else if line.first == " " || line.first == "\t" {
            open?.value += " " + line.trimmed
        } else {
            try receiveField(line)
        }
    }

    private mutating func begin(with line: Substring) throws(TransportError) {
        let parts = line.split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0].hasPrefix("HTTP/"), parts[1].utf8.count == 3, let code = Int(parts[1]),
            code >= 100
        else {
            throw TransportError(
                .malformedResponse,
                detail: "found another status line, expected HTTP and three digits"
            )
        }
        status = code
        isHTTP2 = !parts[0].hasPrefix("HTTP/1")
    }

    private mutating func receiveField(_ line: Substring) throws(TransportError) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else {
            throw TransportError(.malformedResponse, detail: "found a header line without a colon")
        }
        close()
        try countField()
        // Invalid bytes of a value become a space (RFC 9110 §5.5), so that the field is not lost.
        let value = String(line[colon...].dropFirst().map { $0 == "\r" || $0 == "\0" ? " " : $0 })
        open = (line[..<colon], String(value[...].trimmed))
    }

    private mutating func countField() throws(TransportError) {
        fieldCount += 1
        guard fieldCount <= Self.maximumFields else {
            throw TransportError(
                .responseTooLarge,
                detail: "found more header fields, expected at most \(Self.maximumFields)"
            )
        }
    }

    /// Adds the open field to the headers, because no further line continues it.
    private mutating func close() {
        guard let (name, value) = open else { return }
        open = nil
        headers.append(value, for: HTTPHeaders.Name(String(name)))
    }

    private mutating func end() throws(TransportError) {
        guard status != 0 else { return }
        close()
        guard status != 101 || mayUpgrade else {
            throw TransportError(.malformedResponse, detail: "found 101, expected no change of the protocol")
        }
        if headers["Transfer-Encoding"] == nil, !headers.hasOneLength {
            throw TransportError(.malformedResponse, detail: "found another Content-Length, expected one number")
        }
        if HTTPStatus(status).isInformational, status != 101 {
            status = 0
            headers = HTTPHeaders()
        } else {
            isComplete = true
        }
    }
}

extension HTTPHeaders {
    /// Whether all announced lengths are one number, which fits in an `Int64`. Otherwise the end of the body would be a
    /// guess (RFC 9112 §6.3).
    fileprivate var hasOneLength: Bool {
        var lengths: Set<String> = []
        for field in values(for: .contentLength) {
            for part in field.split(separator: ",", omittingEmptySubsequences: false) {
                lengths.insert(String(part.trimmed))
            }
        }
        return lengths.count <= 1
            && lengths.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int64($0) != nil }
    }
}

extension String {
    fileprivate var trimmingLineEnd: Substring {
        let bytes = utf8
        var end = bytes.endIndex
        while end > bytes.startIndex {
            let last = bytes.index(before: end)
            guard bytes[last] == 0x0D || bytes[last] == 0x0A else { break }
            end = last
        }
        return self[..<end]
    }
}

extension Substring {
    /// The text without spaces and tabs around it (RFC 9110 §5.6.3).
    fileprivate var trimmed: Substring {
        var rest = utf8
        while rest.first == 0x20 || rest.first == 0x09 { rest.removeFirst() }
        while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
        return Substring(rest)
    }
}
#endif
