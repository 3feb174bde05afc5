import Bilayer
import Foundation

// Responses that are missing, incomplete or malformed. The comments describe only what the server does.
extension Reply {
    /// Sends no response. Holds the connection until the client closes it, or until ``FaultServer/stop()``.
    /// ``FaultServer/release()`` closes the connection without a response.
    public static let hold = Reply(.hold, .close)

    /// Resets the connection (RST) before the first byte of a response.
    public static let resetBeforeAnswer = Reply(.reset)

    /// Closes the connection (FIN) before the first byte of a response.
    public static let closeBeforeAnswer = Reply(.close)

    /// Resets the connection (RST) after a complete head and `sent` bytes of the body.
    public static func resetInBody(after sent: Int) -> Reply { cutBody(after: sent, of: longer(than: sent), .reset) }

    /// Closes the connection (FIN) after `sent` bytes of a body with a `Content-Length` of `declared`.
    public static func truncatedBody(sent: Int, declared: Int) -> Reply { cutBody(after: sent, of: declared, .close) }

    /// Stops in the middle of the head, and holds the connection open.
    public static let stallInHead = Reply(.head("HTTP/1.1 200 OK\r\nContent-Ty"), .hold, .close)

    /// Stops after a complete head and `sent` bytes of the body, and holds the connection open.
    public static func stallInBody(after sent: Int) -> Reply {
        let whole = cutBody(after: sent, of: longer(than: sent), .hold)
        return Reply(whole.actions + [.close])
    }

    /// Sends the chunks, and closes the connection without the final empty chunk (RFC 9112 §8).
    public static func unfinishedChunks(_ pieces: [String] = ["[1,"]) -> Reply {
        Reply([chunkedHead] + pieces.map { .body(chunk(Data($0.utf8))) } + [.close])
    }

    /// Sends a chunk whose size is not a number.
    public static let badChunk = Reply(chunkedHead, .body("zz\r\n[]\r\n0\r\n\r\n"), .close)

    /// Declares a gzip body, but sends a body that is not compressed.
    public static let badGzip = Reply.data(
        Data("this is not gzip".utf8),
        contentType: "application/json",
        headers: [.contentEncoding: "gzip"]
    )

    /// Sends bytes that are not HTTP.
    public static let notHTTP = Reply(.head("220 mail.example.com ESMTP\r\n"), .close)

    private static let chunkedHead = head(200, [.contentType: "application/json", "Transfer-Encoding": "chunked"])

    /// Sends a head that declares `declared` bytes. Then sends `sent` bytes that start like a JSON array, and performs
    /// `ending`.
    private static func cutBody(after sent: Int, of declared: Int, _ ending: Action) -> Reply {
        let part = Data("[".utf8) + Data(repeating: UInt8(ascii: " "), count: max(sent, 1) - 1)
        let head = head(200, [.contentType: "application/json", .contentLength: "\(declared)"])
        return Reply(head, .body(part.prefix(max(sent, 0))), ending)
    }

    private static func longer(than count: Int) -> Int { max(count, 0) &+ 1000 }
}
