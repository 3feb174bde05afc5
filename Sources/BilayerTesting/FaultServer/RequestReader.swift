import Bilayer
import Foundation

/// The limits of a request.
struct RequestLimits: Sendable {
    /// The maximum number of bytes in the request line and the header fields together. It is also the limit for each
    /// line with the size of a chunk, and for the trailers.
    var head = 65_536
    /// The maximum number of header fields.
    var fields = 256
    /// The maximum number of bytes in the body.
    var body = 64 << 20
}

/// The reason why the server refuses a request, with the status of its response.
struct RequestRefusal: Error, Equatable {
    let status: HTTPStatus
    let reason: String
}

/// A scripted fault interrupted the reading of a body. It is not an error of the client.
private struct UploadCut: Error {
    let body: Data
}

/// Reads requests one after the other from the bytes of a connection (RFC 9112 §2 to §7).
///
/// The reader is strict, so that tests detect errors of the client. It refuses a request line, a header field, a length
/// or a chunk that violates the grammar. The values of header fields and the extensions of chunks are checked only for
/// NUL and line ends.
struct RequestReader {
    private let limits: RequestLimits
    /// Returns the next bytes; an empty array at the end.
    private let receive: () throws -> [UInt8]
    /// Sends `100 Continue` to a client that waits for it before sending the body.
    private let invite: () throws -> Void
    private var buffer: [UInt8] = []
    private var position = 0
    /// The bytes of the current request's head that were read so far.
    private var head = Data()
    /// Returns the number of body bytes after which a fault interrupts the upload; `nil` for no fault.
    private let uploadLimit: (HTTPMethod, String) -> Int?
    /// The number of body bytes after which a fault interrupts the current upload; `nil` for no fault.
    private var bodyEnd: Int?

    init(
        limits: RequestLimits = RequestLimits(),
        uploadLimit: @escaping (HTTPMethod, String) -> Int? = { _, _ in nil },
        invite: @escaping () throws -> Void = {},
        receive: @escaping () throws -> [UInt8]
    ) {
        self.limits = limits
        self.uploadLimit = uploadLimit
        self.invite = invite
        self.receive = receive
    }

    /// Reads the next request.
    /// - Returns: The request; `nil` if the client closed the connection between two requests.
    /// - Throws: ``RequestRefusal`` for an invalid request. ``ConnectionOver`` if the client closed the connection
    ///   inside a request. Also throws what `receive` and `invite` throw.
    mutating func next() throws -> RecordedRequest? {
        guard try hasMore() else { return nil }
        var budget = limits.head
        head = Data()
        let line = try requestLine(&budget)
        let headers = try fields(&budget)
        guard line.isOldVersion || headers.values(for: "Host").count == 1 else {
            throw RequestRefusal(
                status: 400,
                reason: "found \(headers.values(for: "Host").count) Host fields, expected 1"
            )
        }
        if headers["Expect"]?.lowercased() == "100-continue" { try invite() }
        let receivedHead = head
        bodyEnd = uploadLimit(line.method, line.target)
        var isCut = false
        let body: Data
        do {
            body = try self.body(headers)
        } catch let cut as UploadCut {
            (body, isCut) = (cut.body, true)
        }
        var request = RecordedRequest(
            method: line.method,
            target: line.target,
            headers: headers,
            body: body,
            bodyCount: body.count,
            isLastOfConnection: isCut || isLast(headers, line.isOldVersion)
        )
        (request.head, request.isCut) = (receivedHead, isCut)
        request.isHTTP10 = line.isOldVersion
        return request
    }

    /// Whether the connection ends after a request (RFC 9112 §9.3).
    private func isLast(_ headers: HTTPHeaders, _ isOldVersion: Bool) -> Bool {
        let options = tokens(of: headers["Connection"])
        return options.contains("close") || (isOldVersion && !options.contains("keep-alive"))
    }
}

// MARK: - Head

extension RequestReader {
    private struct RequestLine {
        let method: HTTPMethod
        let target: String
        /// Whether the version is HTTP/1.0. In this version, a connection ends after each response by default, and
        /// `Host` may be missing.
        let isOldVersion: Bool
    }

    /// Reads the request line, and subtracts its bytes from the budget.
    private mutating func requestLine(_ budget: inout Int) throws -> RequestLine {
        var line = try line(&budget)
        while line.isEmpty { line = try self.line(&budget) }  // RFC 9112 §2.2: empty lines may come first
        let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let method = HTTPMethod(rawValue: parts[0]) else {
            throw RequestRefusal(status: 400, reason: "the request line is not \"method target version\"")
        }
        let target = originForm(of: parts[1])
        guard target.hasPrefix("/") || target == "*" else {
            throw RequestRefusal(status: 400, reason: "the target does not start with a slash")
        }
        guard parts[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw RequestRefusal(status: 400, reason: "the target has a character that must be percent-encoded")
        }
        guard parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0" else {
            throw RequestRefusal(status: 505, reason: "found another version, expected HTTP/1.1 or HTTP/1.0")
        }
        return RequestLine(method: method, target: target, isOldVersion: parts[2] == "HTTP/1.0")
    }

    /// Returns the path and the query of a whole address. A server must also accept a whole address as a target (RFC
    /// 9112 §3.2.2).
    private func originForm(of target: String) -> String {
        guard let scheme = target.firstRange(of: "://"),
            ["http", "https"].contains(target[..<scheme.lowerBound].lowercased())
        else { return target }
        let rest = target[scheme.upperBound...]
        guard let start = rest.firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        return (rest[start] == "?" ? "/" : "") + rest[start...]
    }

    /// Reads header fields or trailers up to the empty line, and subtracts their bytes from the budget.
    private mutating func fields(_ budget: inout Int) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        while case let line = try line(&budget), !line.isEmpty {
            guard headers.count < limits.fields else {
                throw RequestRefusal(status: 431, reason: "more than \(limits.fields) header fields")
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let name = HTTPHeaders.Name(parts.first.map(String.init) ?? "")
            guard parts.count == 2, name.isValid else {
                throw RequestRefusal(status: 400, reason: "a header line is not \"name: value\"")
            }
            headers.append(parts[1].trimmingCharacters(in: CharacterSet(charactersIn: " \t")), for: name)
        }
        return headers
    }
}

// MARK: - Body

extension RequestReader {
    /// Reads the body, whose length the headers determine (RFC 9112 §6.3). A request with neither `Content-Length` nor
    /// `Transfer-Encoding` has no body.
    private mutating func body(_ headers: HTTPHeaders) throws -> Data {
        let lengths = headers.values(for: .contentLength)
        let codings = headers.values(for: "Transfer-Encoding")
        guard codings.isEmpty else {
            guard lengths.isEmpty else {
                throw RequestRefusal(status: 400, reason: "found both Content-Length and Transfer-Encoding")
            }
            guard tokens(of: codings.joined(separator: ",")) == ["chunked"] else {
                throw RequestRefusal(status: 501, reason: "found another transfer coding, expected chunked")
            }
            return try chunkedBody()
        }
        guard let length = lengths.first else { return Data() }
        guard lengths.count == 1, let count = number(length, radix: 10) else {
            throw RequestRefusal(status: 400, reason: "Content-Length is not one whole number")
        }
        guard count <= limits.body else { throw bodyTooLong }
        var body = Data()
        try take(count, into: &body)
        return body
    }

    private mutating func chunkedBody() throws -> Data {
        var body = Data()
        while true {
            var budget = limits.head
            let size = try line(&budget).prefix { $0 != ";" }.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
            guard let count = number(size, radix: 16) else {
                throw RequestRefusal(status: 400, reason: "a chunk size is not a hexadecimal number")
            }
            guard count <= limits.body - body.count else { throw bodyTooLong }
            if count == 0 {
                _ = try fields(&budget)  // trailer fields are read and not stored
                return body
            }
            try take(count, into: &body)
            guard try nextByte() == UInt8(ascii: "\r"), try nextByte() == UInt8(ascii: "\n") else {
                throw RequestRefusal(status: 400, reason: "a chunk is longer than its size says")
            }
        }
    }

    private var bodyTooLong: RequestRefusal {
        RequestRefusal(status: 413, reason: "the body is longer than \(limits.body) bytes")
    }

    /// Returns the value of a text of digits. Returns `nil` for a sign, a blank or an overflow (RFC 9110 §8.6, RFC 9112
    /// §7.1).
    private func number(_ text: String, radix: Int) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return Int(text, radix: radix)
    }
}

// MARK: - Bytes

extension RequestReader {
    /// Waits for the next byte. Returns false at the end.
    private mutating func hasMore() throws -> Bool {
        if position < buffer.count { return true }
        buffer = try receive()
        position = 0
        return !buffer.isEmpty
    }

    private mutating func nextByte() throws -> UInt8 {
        guard try hasMore() else { throw ConnectionOver() }
        defer { position += 1 }
        return buffer[position]
    }

    /// Reads a line up to CR LF as text, and subtracts its bytes from the budget.
    private mutating func line(_ budget: inout Int) throws -> String {
        var bytes: [UInt8] = []
        while case let byte = try nextByte(), byte != UInt8(ascii: "\n") {
            budget -= 1
            guard budget > 0 else {
                throw RequestRefusal(status: 431, reason: "the head is longer than \(limits.head) bytes")
            }
            bytes.append(byte)
        }
        budget -= 1
        head.append(contentsOf: bytes + [UInt8(ascii: "\n")])
        guard bytes.popLast() == UInt8(ascii: "\r") else {
            throw RequestRefusal(status: 400, reason: "a line ends without CR LF")
        }
        guard !bytes.contains(where: { $0 == 0 || $0 == UInt8(ascii: "\r") }) else {
            throw RequestRefusal(status: 400, reason: "found NUL or a lone CR in the head")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the next bytes to the body.
    /// - Throws: ``UploadCut`` if a fault interrupts the upload before the last of these bytes. ``ConnectionOver`` if
    ///   the client closed the connection. Also throws what `receive` throws.
    private mutating func take(_ count: Int, into body: inout Data) throws {
        var missing = count
        while missing > 0 {
            let room = bodyEnd.map { $0 - body.count } ?? missing
            guard room > 0 else { throw UploadCut(body: body) }
            guard try hasMore() else { throw ConnectionOver() }
            let end = position + min(missing, buffer.count - position, room)
            body.append(contentsOf: buffer[position..<end])
            missing -= end - position
            position = end
        }
    }
}

/// Returns the comma-separated words of a field value in lower case (RFC 9110 §5.6.1).
private func tokens(of value: String?) -> [String] {
    (value ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        .filter { !$0.isEmpty }
}
