import Bilayer
import Foundation

// Rows that check that every fault has its kind of error, that connections are used again or replaced, and that a
// cancellation ends the call.
extension TransportConformance {
    static let faultRows: [Row] = [
        fault("a close before the answer", .closeBeforeAnswer, .connectionLost),
        fault("a reset before the answer", .resetBeforeAnswer, .connectionLost),
        fault("a close inside the head", .closeInHead(after: 30), .connectionLost),
        fault("a body that is cut", .truncatedBody(sent: 5, declared: 10), .brokenBody),
        fault("a reset inside the body", .resetInBody(after: 5), .brokenBody),
        fault("chunks without an end", .unfinishedChunks(), .brokenBody),
        fault("a bad chunk", .badChunk, .brokenBody),
        fault("bad gzip", .badGzip, .brokenBody),
        fault("gzip that is cut", .truncatedGzip(Data(repeating: 65, count: 1000), sent: 500), .brokenBody),
        fault("an answer that is not HTTP", .notHTTP, .malformedResponse),
        fault("a status line without a number", .statusLine("HTTP/1.1 abc OK"), .malformedResponse),
        fault("a field without a colon", .headerWithoutColon, .malformedResponse),
        fault("a redirect with a body that is cut", cutRedirect, .brokenBody),
        fault("a redirect to itself", .redirect(to: "/a"), .tooManyRedirects),
        fault("no answer in time", .hold, .timedOut, timeout: .seconds(1)),
        fault("a head that stops", .stallInHead, .timedOut, timeout: .seconds(1)),
        fault("a body that stops", .stallInBody(after: 5), .timedOut, timeout: .seconds(1)),
        fault("a length over every limit", tooLong, .responseTooLarge),
    ]

    static let connectionRows: [Row] = [
        Row("a connection is used again") { transport, server in
            server.on(.get, "/a", .json("[]"))
            for _ in 0..<3 { _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "a"))) }
            try expect("connections", Set(server.requests.map(\.connection)).count, 1)
        },
        Row("a connection that the server has closed is replaced") { transport, server in
            server.on(.get, "/a", Reply(.head("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"), .body("[]"), .close))
            for _ in 0..<5 {
                let response = try await transport.process(HTTPRequest(url: server.url.appending(path: "a")))
                try expect("body is exact", response.body == Data("[]".utf8), true)
            }
        },
        Row("100 calls at once") { transport, server in
            server.on(.get, "/a", .json("[1]"))
            let request = HTTPRequest(url: server.url.appending(path: "a"))
            try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 0..<100 { group.addTask { try await transport.process(request).body } }
                for try await body in group { try expect("body is exact", body == Data("[1]".utf8), true) }
            }
        },
    ]

    static let cancelRows: [Row] = [
        cancel("a cancel before the answer", .hold), cancel("a cancel inside the head", .stallInHead),
        cancel("a cancel inside the body", .stallInBody(after: 5)),
        cancel("a cancel after a redirect", .redirect(to: "/held"), requests: 2),
    ]

    private static let cutRedirect = Reply(
        .head("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 10\r\n\r\n"),
        .body("moved"),
        .close
    )

    private static let tooLong = Reply(
        .head("HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n"),
        .body("x"),
        .hold
    )

    private static func fault(
        _ name: String,
        _ reply: Reply,
        _ kind: TransportError.Kind,
        timeout: Duration? = nil
    ) -> Row {
        Row(name) { transport, server in
            server.on(.get, "/a", reply)
            let response: HTTPResponse
            do {
                let url = server.url.appending(path: "a")
                response = try await transport.process(HTTPRequest(url: url, timeout: timeout))
            } catch {
                return try expect("error", named(error), "TransportError(\(kind))")
            }
            throw Deviation(text: "found \(response), expected TransportError(\(kind))")
        }
    }

    private static func cancel(_ name: String, _ reply: Reply, requests: Int = 1) -> Row {
        Row(name) { transport, server in
            server.on(.get, "/a", reply)
            server.on(.get, "/held", .hold)
            let call = Task { try await transport.process(HTTPRequest(url: server.url.appending(path: "a"))) }
            // The time limit detects a transport that sends too few requests. Without it, the row would wait until its
            // own limit.
            try await server.waitForRequests(count: requests, within: .seconds(30))
            call.cancel()
            let outcome = await call.result
            guard case .failure(let error) = outcome else {
                throw Deviation(text: "found a response, expected CancellationError")
            }
            try expect("error", named(error), "CancellationError")
        }
    }
}
