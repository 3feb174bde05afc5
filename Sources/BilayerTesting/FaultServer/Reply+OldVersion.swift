import Foundation

extension Reply {
    /// This reply in a form for a client of HTTP/1.0, in which there are no chunks (RFC 9112 §6.1). The connection must
    /// be closed at the end of the body. A reply without `Transfer-Encoding: chunked` is not changed. Bytes that are
    /// not whole chunks are not changed, either.
    var forHTTP10: Reply {
        var isChunked = false
        return Reply(
            actions.map { action in
                switch action {
                case .head(let bytes):
                    guard let plain = Self.withoutChunkedField(bytes) else { return action }
                    isChunked = true
                    return .head(plain)
                case .body(let bytes) where isChunked: return .body(Self.contents(of: bytes) ?? bytes)
                case .bodies(let bytes, let count) where isChunked:
                    return .bodies(Self.contents(of: bytes) ?? bytes, count: count)
                default: return action
                }
            }
        )
    }

    /// Returns a head without `Transfer-Encoding: chunked`; `nil` if the head does not have it.
    private static func withoutChunkedField(_ head: Data) -> Data? {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let kept = lines.filter { $0.lowercased().filter { $0 != " " } != "transfer-encoding:chunked" }
        return kept.count == lines.count ? nil : Data(kept.joined(separator: "\r\n").utf8)
    }

    /// Returns the contents of whole chunks; `nil` if the bytes are anything else.
    private static func contents(of chunks: Data) -> Data? {
        var (rest, contents) = (chunks[...], Data())
        let lineEnd = Data("\r\n".utf8)
        while !rest.isEmpty {
            guard let line = rest.range(of: lineEnd) else { return nil }
            let digits = rest[..<line.lowerBound].prefix { $0 != UInt8(ascii: ";") }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
            // The chunk of size 0 is the last chunk. Only trailers and the empty line follow.
            if size == 0 { return contents }
            guard size > 0, rest.endIndex - line.upperBound >= size + 2 else { return nil }
            contents += rest[line.upperBound..<line.upperBound + size]
            rest = rest[(line.upperBound + size + 2)...]
        }
        return contents
    }
}
