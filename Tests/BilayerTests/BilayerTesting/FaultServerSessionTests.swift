import Bilayer
import BilayerTesting
import Foundation
import Testing

/// The server, called over ``URLSessionTransport``.
@Suite(.timeLimit(.minutes(5))) struct FaultServerSessionTests {
    @Test func keepsConnections() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .json("[]"))
        let transport = URLSessionTransport()
        for _ in 0..<5 { _ = try await transport.process(HTTPRequest(url: server.url)) }
        #expect(server.requests.map(\.connection) == [0, 0, 0, 0, 0])
    }

    @Test func recordsWhatWasSent() async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/a%2Fb", .status(201))
        let url = try #require(URL(string: server.url.absoluteString + "/a%2Fb?x=%20"))
        let body = Data(count: 3_000_000)
        let response = try await URLSessionTransport()
            .process(
                HTTPRequest(method: .put, url: url, headers: ["X-Tag": "7"], body: body)
            )
        #expect(response.status == 201)
        let request = try #require(server.requests.first)
        #expect(request.description.hasPrefix("PUT /a%2Fb?x=…"))
        #expect(request.headers["x-tag"] == "7")
        #expect(request.body == body)
    }

    @Test(arguments: [
        ("resetBeforeAnswer", Reply.resetBeforeAnswer, TransportError.Kind.connectionLost),
        ("closeBeforeAnswer", .closeBeforeAnswer, .connectionLost),
        ("truncatedBody", .truncatedBody(sent: 5, declared: 50), .brokenBody),
        ("resetInBody", .resetInBody(after: 10), .brokenBody),
        ("badChunk", .badChunk, .brokenBody), ("unfinishedChunks", .unfinishedChunks(), .brokenBody),
        ("badGzip", .badGzip, .brokenBody), ("notHTTP", .notHTTP, .malformedResponse),
    ])
    func showsItsFaults(name: String, reply: Reply, kind: TransportError.Kind) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", reply)
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport().process(HTTPRequest(url: server.url))
        }
        #expect(error?.kind == kind, "\(name)")
    }

    @Test func deliversChunksAndDelays() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .delayed(.milliseconds(2), then: .chunked(["[1,", "2]"], every: .milliseconds(2))))
        let response = try await URLSessionTransport().process(HTTPRequest(url: server.url))
        #expect(response.body == Data("[1,2]".utf8))
    }

    @Test func servesParallelCalls() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/") { .text($0.query ?? "") }
        let transport = URLSessionTransport()
        let base = server.url.absoluteString
        let bodies = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                let url = try #require(URL(string: "\(base)/?\(number)"))
                group.addTask {
                    String(decoding: try await transport.process(HTTPRequest(url: url)).body, as: UTF8.self)
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(bodies == Set((0..<100).map(String.init)))
    }
}
