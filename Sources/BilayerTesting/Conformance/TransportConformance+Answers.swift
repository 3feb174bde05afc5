import Bilayer
import Foundation

// Rows that check that every complete response is returned exactly.
extension TransportConformance {
    static let answerRows: [Row] =
        [200, 201, 204, 304, 400, 401, 404, 429, 500, 503, 599]
        .map { code in
            answer("status \(code) is a response", .status(HTTPStatus(code)), status: HTTPStatus(code))
        } + [
            answer("an empty body", .data(Data()), body: Data()),
            answer("a body of one byte", .data(Data("x".utf8)), body: Data("x".utf8)),
            answer("a body of 1 MB", .data(megabyte), body: megabyte),
            answer("a chunked body", .chunked(["[1,", "2]"]), body: Data("[1,2]".utf8)),
            answer(
                "a chunked body with pauses",
                .chunked(["[1,", "2]"], every: .milliseconds(50)),
                body: Data("[1,2]".utf8)
            ),
            answer(
                "a body that ends with the connection",
                Reply(.head("HTTP/1.1 200 OK\r\n\r\n"), .body("[1]"), .close),
                body: Data("[1]".utf8)
            ),
            answer("gzip is decoded", .gzip(Data("[1]".utf8)), body: Data("[1]".utf8)),
            answer("interim responses are ignored", .interim(100, 103, then: .json("[1]")), body: Data("[1]".utf8)),
            answer("trailers are ignored", .chunked(["[1]"], trailers: ["X-Sum": "1"]), body: Data("[1]".utf8)),
            Row("a response to HEAD has no body") { transport, server in
                server.on(.head, "/a", .status(200, headers: [.contentLength: "99"]))
                let request = HTTPRequest(method: .head, url: server.url.appending(path: "a"))
                let response = try await transport.process(request)
                try expect("body", response.body, Data())
            },
        ]

    private static let megabyte = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private static func answer(
        _ name: String,
        _ reply: Reply,
        status: HTTPStatus = 200,
        body: Data = Data()
    ) -> Row {
        Row(name) { transport, server in
            server.on(.get, "/a", reply)
            let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "a")))
            try expect("status", response.status, status)
            try expect("bytes of the body", response.body.count, body.count)
            try expect("body is exact", response.body == body, true)
        }
    }
}
