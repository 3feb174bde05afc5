import Foundation

/// Writes and reads the values of an entry as bytes. A number has eight bytes. A text or a body follows its length.
///
/// Reading checks every length, and returns `nil` if there are fewer bytes.
struct CacheBytes {
    private(set) var bytes: Data
    private var offset = 0

    init(_ bytes: Data = Data()) { self.bytes = bytes }

    /// Whether all bytes are read.
    var isAtEnd: Bool { offset == bytes.count }

    mutating func write(_ entry: HTTPCacheEntry) {
        write(entry.requestTime.timeIntervalSinceReferenceDate.bitPattern)
        write(entry.responseTime.timeIntervalSinceReferenceDate.bitPattern)
        write(entry.variant)
        write(entry.response.status.code)
        write(entry.response.headers.count)
        for field in entry.response.headers {
            write(field.name.rawValue)
            write(field.value)
        }
        write(entry.response.body)
    }

    mutating func write(_ text: String) { write(Data(text.utf8)) }

    mutating func write(_ number: Int) { write(UInt64(bitPattern: Int64(number))) }

    private mutating func write(_ data: Data) {
        write(data.count)
        bytes.append(data)
    }

    private mutating func write(_ number: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

extension CacheBytes {
    mutating func readEntry() -> HTTPCacheEntry? {
        guard let requestTime = readDate(), let responseTime = readDate(), let variant = readText(),
            let status = readInt(), let headers = readHeaders(), let body = readData()
        else { return nil }
        return HTTPCacheEntry(
            response: HTTPResponse(status: HTTPStatus(status), headers: headers, body: body),
            requestTime: requestTime,
            responseTime: responseTime,
            variant: variant
        )
    }

    mutating func readText() -> String? { readData().flatMap { String(bytes: $0, encoding: .utf8) } }

    mutating func readInt() -> Int? { readNumber().flatMap { Int(exactly: Int64(bitPattern: $0)) } }

    private mutating func readHeaders() -> HTTPHeaders? {
        guard let count = readInt(), count >= 0 else { return nil }
        var headers: HTTPHeaders = [:]
        for _ in 0..<count {
            guard let name = readText(), let value = readText() else { return nil }
            headers.append(value, for: HTTPHeaders.Name(name))
        }
        return headers.refused.isEmpty ? headers : nil
    }

    private mutating func readDate() -> Date? {
        guard let seconds = readNumber().map(Double.init(bitPattern:)), seconds.isFinite else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }

    private mutating func readData() -> Data? {
        guard let count = readInt(), count >= 0 else { return nil }
        return take(count)
    }

    private mutating func readNumber() -> UInt64? { take(8).map { $0.reduce(0) { $0 << 8 | UInt64($1) } } }

    private mutating func take(_ count: Int) -> Data? {
        guard count <= bytes.count - offset else { return nil }
        defer { offset += count }
        return Data(bytes.dropFirst(offset).prefix(count))
    }
}
