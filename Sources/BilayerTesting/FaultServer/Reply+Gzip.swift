public import Bilayer
public import Foundation

// Compressed bodies: a real one, one that is cut, and one that grows. No library makes them: any bytes are stored
// blocks, and a run of zeros is repetitions, 159 times smaller than itself.
extension Reply {
    /// Sends a body as gzip (RFC 1952), valid and complete.
    public static func gzip(
        _ body: Data,
        contentType: String = "application/json",
        status: HTTPStatus = 200
    ) -> Reply {
        compressed(Gzip.stored(body), contentType: contentType, status: status)
    }

    /// Sends only the first `sent` bytes of a gzip stream, with a `Content-Length` that says so: the response is
    /// complete, its compression is not.
    public static func truncatedGzip(_ body: Data, sent: Int) -> Reply {
        compressed(Data(Gzip.stored(body).prefix(max(sent, 0))), contentType: "application/json", status: 200)
    }

    /// Sends a small gzip stream of `count` zeros.
    public static func gzipBomb(of count: Int) -> Reply {
        compressed(Gzip.zeros(count), contentType: "application/octet-stream", status: 200)
    }

    private static func compressed(_ bytes: Data, contentType: String, status: HTTPStatus) -> Reply {
        data(bytes, contentType: contentType, status: status, headers: [.contentEncoding: "gzip"])
    }
}
