import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct FaultServerTests {
    @Test func answersInTheOrderOfTheScript() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json("[1]"), .text("two", status: 503), .status(204))
        let client = try RawClient(server)

        try client.send(get("/users"))
        #expect(try client.read(upTo: "[1]").hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"))
        try client.send(get("/users"))
        #expect(try client.read(upTo: "two").hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        for _ in 0..<2 {  // the last reply is repeated
            try client.send(get("/users"))
            #expect(try client.read(upTo: "\r\n\r\n") == "HTTP/1.1 204 No Content\r\n\r\n")
        }
        #expect(server.requests.map(\.number) == [0, 1, 2, 3])
        #expect(server.requests.map(\.connection) == [0, 0, 0, 0])
    }

    @Test func namesWhatIsNotScripted() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json("[]"))
        let client = try RawClient(server)

        try client.send("POST /users?a=\"b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let answer = client.readToEnd()
        #expect(answer.ending == .finished)
        #expect(answer.text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(
            answer.text.hasSuffix(#"{"error":"nothing is scripted for POST /users?a=\"b","scripted":"GET /users"}"#)
        )
        #expect(server.requests.first?.target == "/users?a=\"b")
    }

    @Test func prefersAScriptWithItsQuery() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .text("any"))
        server.on(.get, "/users?page=2", .text("second"))
        let client = try RawClient(server)

        try client.send(get("/users?page=1") + get("/users?page=2") + get("/users", "Connection: close"))
        let bodies = client.readToEnd().text.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix(3) }
        #expect(bodies == ["any", "sec", "any"])
    }

    @Test func startsANewScriptAnew() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .text("old"))
        server.on(.get, "/", .text("new"))
        let client = try RawClient(server)
        try client.send(get("/", "Connection: close"))
        #expect(client.readToEnd().text.hasSuffix("new"))
    }

    @Test func computesAnswers() async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/echo") { request in
            .data(request.body, contentType: request.headers[.contentType] ?? "", status: 201)
        }
        let client = try RawClient(server)
        try client.send(
            "PUT /echo HTTP/1.1\r\nHost: h\r\nContent-Type: x/y\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi"
        )
        #expect(
            client.readToEnd().text == "HTTP/1.1 201 Created\r\nContent-Type: x/y\r\nContent-Length: 2\r\n\r\nhi"
        )
    }

    @Test func leavesTheBodyOutForHead() async throws {
        let server = try await FaultServer.start()
        server.on(.head, "/", .json("[]"))
        let client = try RawClient(server)
        try client.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        #expect(client.readToEnd().text.hasSuffix("Content-Length: 2\r\n\r\n"))
    }

    @Test func answersPipelinedRequestsInOrder() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/n") { .text("<\($0.query ?? "")>") }
        let client = try RawClient(server)
        try client.send((0..<50).map { get("/n?\($0)") }.joined() + get("/n?end", "Connection: close"))
        let answer = client.readToEnd()
        #expect(answer.ending == .finished)
        let found = answer.text.split(separator: "<").dropFirst().map { $0.prefix { $0 != ">" } }
        #expect(found.map(String.init) == (0..<50).map(String.init) + ["end"])
    }

    @Test func invitesABodyThatWaits() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/", .status(200))
        let client = try RawClient(server)
        try client.send("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.read(upTo: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        try client.send("hi")
        #expect(try client.read(upTo: "\r\n\r\n") == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test(arguments: [
        Sent(505, "GET / HTTP/3.0\r\n\r\n"), Sent(400, "hello\r\n"),
        Sent(431, "GET /" + String(repeating: "x", count: 5_000_000)),
        Sent(413, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\nhello world"),
    ])
    func refusesAndStillAnswers(sent: Sent) async throws {
        let server = try await FaultServer.start(bodyLimit: 10)
        let client = try RawClient(server)
        try client.send(sent.text)
        let answer = client.readToEnd()
        #expect(answer.text.hasPrefix("HTTP/1.1 \(sent.status) "))
        #expect(answer.text.contains(#"{"error":""#))
        #expect(answer.ending == .finished)
        #expect(server.requests.isEmpty)
    }

    @Test func servesManyConnectionsAtOnce() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .held(then: .text("go")))
        let clients = try (0..<100).map { _ in try RawClient(server) }
        for client in clients { try client.send(get("/", "Connection: close")) }
        try await server.waitForRequests(count: 100)
        server.release()
        for client in clients { #expect(client.readToEnd().text.hasSuffix("go")) }
        #expect(Set(server.requests.map(\.connection)) == Set(0..<100))
        #expect(server.requests.map(\.number) == Array(0..<100))
    }
}
