public import Bilayer
public import Foundation

// Compressed bodies: a valid body, a truncated one, and one that expands. They are made without a library. Bytes are
// written as stored blocks. A long run of zeros is written as repetitions, which have about 1/159 of its size.
extension Reply {
    /// Sends a body as complete and valid gzip (RFC 1952).
    public static func gzip(
        _ body: Data,
        contentType: String = "application/json",
        status: HTTPStatus = 200
    ) -> Reply {
        compressed(Gzip.stored(body), contentType: contentType, status: status)
    }

    /// Sends only the first `sent` bytes of a gzip stream. `Content-Length` counts only these bytes, so the HTTP
    /// response is complete, but the gzip stream is not.
    public static func truncatedGzip(_ body: Data, sent: Int) -> Reply {
        compressed(Data(Gzip.stored(body).prefix(max(sent, 0))), contentType: "application/json", status: 200)
    }

    /// Sends a small gzip stream that expands to `count` zeros.
    public static func gzipBomb(of count: Int) -> Reply {
        compressed(Gzip.zeros(count), contentType: "application/octet-stream", status: 200)
    }

    private static func compressed(_ bytes: Data, contentType: String, status: HTTPStatus) -> Reply {
        data(bytes, contentType: contentType, status: status, headers: [.contentEncoding: "gzip"])
    }
}
