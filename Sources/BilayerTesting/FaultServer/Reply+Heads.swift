public import Bilayer
import Foundation

// Heads that are truncated, malformed or huge, interim responses and trailers, and slow replies.
extension Reply {
    /// Closes the connection (FIN) after `sent` bytes of an incomplete head.
    ///
    /// On Linux this ends a process that uses `URLSession` and has received a part of the head
    /// (swift-corelibs-foundation issue 5285). Test such a client only in a child process.
    public static func closeInHead(after sent: Int) -> Reply {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        return Reply(.head(Data(head.utf8).prefix(max(sent, 0))), .close)
    }

    /// Sends a response with this text as its status line, and closes the connection (FIN). The rest of the response is
    /// valid.
    public static func statusLine(_ line: String) -> Reply {
        Reply(.head("\(line)\r\nContent-Length: 2\r\n\r\n"), .body("{}"), .close)
    }

    /// Sends a field line without a colon, and closes the connection (FIN).
    public static let headerWithoutColon = Reply(.head("HTTP/1.1 200 OK\r\nNo colon here\r\n\r\n"), .close)

    /// Sends a response with `fields` additional header fields. Each value has `bytes` bytes.
    public static func hugeHead(fields: Int, bytes: Int) -> Reply {
        let value = String(repeating: "v", count: max(bytes, 0))
        let lines = (0..<max(fields, 0)).map { "X-Field-\($0): \(value)\r\n" }.joined()
        return Reply(.head("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(lines)\r\n"), .body("{}"))
    }

    /// Sends interim responses (RFC 9110 §15.2), then another reply.
    public static func interim(_ statuses: HTTPStatus..., then reply: Reply) -> Reply {
        Reply(statuses.map { head($0, [:]) } + reply.actions)
    }

    /// Sends a chunked body with trailer fields (RFC 9112 §7.1.2).
    ///
    /// On Linux this ends a process that uses `URLSession`. Test such a client only in a child process.
    public static func chunked(_ pieces: [String], trailers: HTTPHeaders) -> Reply {
        let fields = trailers.map { "\($0.name.rawValue): \($0.value)\r\n" }.joined()
        let chunks = pieces.map { Action.body(chunk(Data($0.utf8))) }
        return Reply([head(200, ["Transfer-Encoding": "chunked"])] + chunks + [.body("0\r\n\(fields)\r\n")])
    }

    /// Sends a chunk with this text as its size and two bytes of content, and closes the connection (FIN).
    public static func chunkSize(_ text: String) -> Reply {
        Reply(head(200, ["Transfer-Encoding": "chunked"]), .body("\(text)\r\n[]"), .close)
    }

    /// Returns this reply with its bytes sent at a maximum rate in bytes a second. The bytes are sent in pieces of a
    /// tenth of the rate, but at least one byte.
    public func throttled(to rate: Int) -> Reply {
        let rate = max(rate, 1)
        let size = max(rate / 10, 1)
        let pause = Action.pause(.seconds(1) * size / rate)
        return Reply(
            actions.flatMap { action -> [Action] in
                switch action {
                case .head(let bytes): Self.pieces(bytes, size).flatMap { [.head($0), pause] }
                case .body(let bytes): Self.pieces(bytes, size).flatMap { [.body($0), pause] }
                case .bodies(let bytes, let count):
                    (0..<max(count, 0)).flatMap { _ in Self.pieces(bytes, size).flatMap { [.body($0), pause] } }
                case .pause, .hold, .close, .reset, .cut: [action]
                }
            }
        )
    }

    private static func pieces(_ bytes: Data, _ size: Int) -> [Data] {
        let bytes = Data(bytes)
        return stride(from: 0, to: bytes.count, by: size).map { Data(bytes[$0..<min($0 + size, bytes.count)]) }
    }
}
