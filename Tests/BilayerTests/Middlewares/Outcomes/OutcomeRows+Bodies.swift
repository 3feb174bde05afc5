import Bilayer
import BilayerTesting
import Foundation

// Faults after the head: what had come is kept.
extension OutcomeRow {
    static let bodies: [Self] = [
        .fails("stall in the body", .stallInBody(after: 1), .timedOut, status: 200, body: "[", isRetried: true) {
            $0.timeout = .seconds(1)
        },
        .fails(
            "body that is cut",
            .truncatedBody(sent: 1, declared: 9),
            .brokenBody,
            status: 200,
            body: "[",
            isRetried: true
        ),
        .fails("reset in the body", .heldReset, .brokenBody, status: 200, body: "[", isRetried: true),
        .fails(
            "chunks without an end",
            .unfinishedChunks(["[1,"]),
            .brokenBody,
            status: 200,
            body: "[1,",
            isRetried: true
        ),
        .fails("bad chunk", .badChunk, .brokenBody, status: 200, isRetried: true),
        .fails(
            "size of a chunk over 64 bits",
            .chunkSize("FFFFFFFFFFFFFFFFF"),
            .brokenBody,
            status: 200,
            isRetried: true
        ),
        .fails("negative size of a chunk", .chunkSize("-1"), .brokenBody, status: 200, isRetried: true),
        .fails(
            "size of a chunk of 63 bits",
            .chunkSize("7FFFFFFFFFFFFFFF"),
            .brokenBody,
            status: 200,
            body: "[]",
            isRetried: true
        ),
        .answers("trailer", .chunked(["[1,", "2]"], trailers: ["X-Sum": "1"]), body: "[1,2]") {
            $0.endsURLSession = true
        },
        .fails("bad gzip", .badGzip, .brokenBody, status: 200, isRetried: true),
        .fails(
            "encoding that libcurl does not know",
            .json("[]", headers: [.contentEncoding: "utf-8"]),
            .unsupported,
            status: 200
        ) {
            #if !canImport(FoundationNetworking)
            // The sessions of Apple's systems return the bytes as they are.
            $0.session = Outcome(status: 200, body: "[]")
            #endif
        },
        // A documented limit of libcurl: it does not find the cut, because the HTTP message is complete.
        .answers(
            "gzip that is cut in a complete message",
            .truncatedGzip(Data("[1,2,3,4]".utf8), sent: 21),
            body: "[1,2,3"
        ),
        // libcurl takes this stream for an empty body; the transport finds the cut.
        .fails(
            "gzip that is cut in its head",
            .truncatedGzip(Data("[1,2,3,4]".utf8), sent: 12),
            .brokenBody,
            status: 200,
            isRetried: true
        ),
        .fails("gzip bomb", .gzipBomb(of: 1_000_000), .responseTooLarge, status: 200),
        .fails("body over the limit", .json(String(repeating: " ", count: 20_000)), .responseTooLarge, status: 200),
        .fails(
            "length over every limit",
            Reply(.head("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n"), .body("x"), .hold),
            .responseTooLarge,
            status: 200
        ),
    ]

    static let uploads: [Self] = [
        upload(.fails("close during the upload", .closeBeforeAnswer, at: during, .connectionLost, isRetried: true)),
        upload(.fails("reset during the upload", .resetBeforeAnswer, at: during, .connectionLost, isRetried: true)),
        upload(.fails("silence during the upload", .hold, at: during, .timedOut, isRetried: true)) {
            $0.timeout = .seconds(1)
        },
        upload(
            .answers(
                "answer during the upload",
                .text("too large", status: 413),
                at: during,
                status: 413,
                body: "too large"
            )
        ),
    ]

    private static let during = Place.upload(after: 1_000)

    private static func upload(_ row: Self, _ change: (inout Self) -> Void = { _ in }) -> Self {
        var row = row
        row.method = .post
        row.requestBody = Data(repeating: 65, count: 300_000)
        change(&row)
        return row
    }
}

extension Reply {
    /// A reset discards bytes that the client has not read yet, so it comes 100 ms after them.
    fileprivate static let heldReset = Reply(
        .head("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
        .body("["),
        .pause(.milliseconds(100)),
        .reset
    )
}
