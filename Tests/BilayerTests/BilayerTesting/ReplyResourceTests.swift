import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("FaultServer: files, redirects, large bodies", .timeLimit(.minutes(5)))
struct ReplyResourceTests {
    private static let file = Data("0123456789".utf8)

    private func response(
        to headers: HTTPHeaders,
        method: HTTPMethod = .get
    ) async throws -> HTTPResponse {
        let server = try await FaultServer.start()
        server.on(method, "/file") { request in
            .resource(Self.file, to: request, eTag: "\"1\"", lastModified: "Thu, 01 Jan 2026 00:00:00 GMT")
        }
        let url = server.url.appending(path: "file")
        return try await DefaultTransport().process(HTTPRequest(method: method, url: url, headers: headers))
    }

    private static let requests: [(HTTPHeaders, Int, String, String?)] = [
        ([:], 200, "0123456789", nil),
        (["If-None-Match": "\"2\", W/\"1\""], 304, "", nil),
        (["If-None-Match": "*"], 304, "", nil),
        (["If-None-Match": "\"2\""], 200, "0123456789", nil),
        (["If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"], 304, "", nil),
        // §13.1.3: `If-Modified-Since` counts only without `If-None-Match`.
        (
            ["If-None-Match": "\"2\"", "If-Modified-Since": "Thu, 01 Jan 2026 00:00:00 GMT"], 200, "0123456789",
            nil
        ),
        (["Range": "bytes=2-4"], 206, "234", "bytes 2-4/10"),
        (["Range": "bytes=7-"], 206, "789", "bytes 7-9/10"),
        (["Range": "bytes=-3"], 206, "789", "bytes 7-9/10"),
        (["Range": "bytes=-30"], 206, "0123456789", "bytes 0-9/10"),
        (["Range": "bytes=8-30"], 206, "89", "bytes 8-9/10"),
        (["Range": "bytes=10-"], 416, "", "bytes */10"),
        (["Range": "bytes=-0"], 416, "", "bytes */10"),
        (["Range": "bytes=4-2"], 200, "0123456789", nil),
        (["Range": "bytes=0-1,4-5"], 200, "0123456789", nil),
        (["Range": "lines=0-1"], 200, "0123456789", nil),
        (["Range": "bytes=2-4", "If-Range": "\"1\""], 206, "234", "bytes 2-4/10"),
        (["Range": "bytes=2-4", "If-Range": "\"0\""], 200, "0123456789", nil),
    ]

    @Test("RFC 9110 §13 and §14", arguments: requests)
    func aFile(headers: HTTPHeaders, status: Int, body: String, range: String?) async throws {
        let response = try await response(to: headers)
        #expect(response.status.code == status)
        #expect(response.body == Data(body.utf8))
        #expect(response.headers["Content-Range"] == range)
        #expect(response.headers["ETag"] == "\"1\"")
    }

    /// RFC 9110 §13.1.5 requires the strong comparison, which a weak tag never passes.
    @Test func aWeakTagIsOfNoRange() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/file") { .resource(Self.file, to: $0, eTag: "W/\"1\"") }
        let headers: HTTPHeaders = ["Range": "bytes=2-4", "If-Range": "W/\"1\""]
        let request = HTTPRequest(url: server.url.appending(path: "file"), headers: headers)
        let response = try await DefaultTransport().process(request)
        #expect(response.status == 200)
        #expect(response.body == Self.file)
    }

    @Test(arguments: [0, 1, 5])
    func redirectsInARow(count: Int) async throws {
        let server = try await FaultServer.start()
        server.onRedirects(count, from: "/start", status: 307, .text("end"))
        let url = server.url.appending(path: "start")
        #expect(try await DefaultTransport().process(HTTPRequest(url: url)).body == Data("end".utf8))
        #expect(server.requests.count == count + 1)
    }

    @Test func aReplyOfAFewBytesSendsALargeBody() async throws {
        let server = try await FaultServer.start()
        let reply = Reply.repeating(Data(repeating: 7, count: 1 << 16), count: 1000)
        let held = reply.actions.map { action in
            switch action {
            case .head(let bytes), .body(let bytes), .bodies(let bytes, _): bytes.count
            default: 0
            }
        }
        #expect(held.reduce(0, +) < 1 << 17)
        server.on(.get, "/large", reply)
        var request = HTTPRequest(url: server.url.appending(path: "large"))
        request.streamsResponse = true
        let response = try await DefaultTransport().process(request)
        var count = 0
        for try await chunk in response.chunks { count += chunk.count }
        #expect(count == 65_536_000)
    }

    @Test func recordedBodiesAreBounded() async throws {
        let server = try await FaultServer.start()
        server.keepBodies(upTo: 3)
        server.on(.post, "/echo") { request in .data(request.body) }
        let request = HTTPRequest(method: .post, url: server.url.appending(path: "echo"), body: .data(Self.file))
        #expect(try await DefaultTransport().process(request).body == Self.file)
        #expect(server.requests.first?.body == Data("012".utf8))
        #expect(server.requests.first?.bodyCount == 10)
    }
}
