import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

/// What the server records of requests, and how long a test waits for them.
@Suite("FaultServer: recorded requests", .timeLimit(.minutes(5)))
struct FaultServerRecordTests {
    // MARK: Waiting

    @Test func aWaitThatIsOverSaysWhatHadArrived() async throws {
        let (server, clock) = (try await FaultServer.start(), TestClock())
        try RawClient(server).send(get("/users?token=secret"))
        try await server.waitForRequests(count: 1)
        let waiting = Task { try await server.waitForRequests(count: 2, within: .seconds(5), clock: clock) }
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: FaultServerError.self) { try await waiting.value }
        #expect(error?.description == "expected 2 requests within 5.0 seconds, found 1: GET /users?token=…")
    }

    @Test func aWaitWithoutAnyRequestSaysSo() async throws {
        let server = try await FaultServer.start()
        let error = await #expect(throws: FaultServerError.self) {
            try await server.waitForRequests(count: 1, within: .zero, clock: TestClock())
        }
        #expect(error?.description == "expected 1 requests within 0.0 seconds, found 0")
    }

    @Test func aWaitThatIsMetLeavesNoSleeper() async throws {
        let (server, clock) = (try await FaultServer.start(), TestClock())
        let waiting = Task { try await server.waitForRequests(count: 1, within: .seconds(5), clock: clock) }
        try await clock.waitForSleepers(count: 1)
        try RawClient(server).send(get("/users"))
        #expect(try await waiting.value.map(\.target) == ["/users"])
        #expect(clock.sleepers == 0)
    }

    @Test func aWaitThatIsCancelledOrWhoseServerStopsEndsAtOnce() async throws {
        let (server, clock) = (try await FaultServer.start(), TestClock())
        let first = Task { try await server.waitForRequests(count: 1, within: .seconds(5), clock: clock) }
        try await clock.waitForSleepers(count: 1)
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second = Task { try await server.waitForRequests(count: 1, within: .seconds(5), clock: clock) }
        try await clock.waitForSleepers(count: 1)
        server.stop()
        let error = await #expect(throws: FaultServerError.self) { try await second.value }
        #expect(error?.description == "stopped before 1 requests arrived")
        #expect(clock.sleepers == 0)
    }

    // MARK: Heads

    /// Names and values keep their case, blanks and order, and values keep bytes that are not ASCII.
    @Test func theHeadIsKeptByteForByte() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/a%2fB?x=%20&&", .status(204))
        server.on(.get, "/second", .text("end"))
        let first =
            "POST /a%2fB?x=%20&& HTTP/1.1\r\nhOsT:localhost\r\nX-Tag: \t b \t\r\nx-tag:\r\nX-U: é\r\n"
            + "Content-Length: 4\r\n\r\n"
        let second = "GET /second HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
        let client = try RawClient(server)
        try client.send(first + "body" + second)
        _ = client.readToEnd()
        #expect(server.requests.map(\.head) == [Data(first.utf8), Data(second.utf8)])
        #expect(server.requests.map(\.body) == [Data("body".utf8), Data()])
    }

    @Test("a field whose name is no token is refused", arguments: ["X-Ü", "X Tag", "X-Tag ", " X-Tag", "X(Tag)", ""])
    func aNameThatIsNoToken(name: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", .status(204))
        let client = try RawClient(server)
        try client.send("GET /a HTTP/1.1\r\nHost: h\r\n\(name): 1\r\nConnection: close\r\n\r\n")
        #expect(client.readToEnd().text.hasPrefix("HTTP/1.1 400 "))
        #expect(server.requests.isEmpty)
    }

    /// Trailer fields of a chunked body are no part of the head.
    @Test func theHeadEndsBeforeTheBody() async throws {
        let server = try await FaultServer.start()
        server.on(.put, "/chunks", .status(204))
        let head = "PUT /chunks HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        let client = try RawClient(server)
        try client.send(head + "3;a=b\r\nabc\r\n2\r\nde\r\n0\r\nX-End: 1\r\n\r\n")
        _ = client.readToEnd()
        let request = try #require(server.requests.first)
        #expect(request.head == Data(head.utf8))
        #expect(request.bodyText == "abcde")
        #expect(!request.isCut)
    }

    // MARK: Bodies

    /// The reply of `onUpload` comes after five bytes, if the body is longer. `Content-Length` and chunks are treated
    /// alike.
    @Test(arguments: [
        ("Content-Length: 9", "123456789", true), ("Content-Length: 9", "12345", true),
        ("Content-Length: 5", "12345", false), ("Content-Length: 4", "1234", false),
        ("Transfer-Encoding: chunked", "3\r\n123\r\n4\r\n4567\r\n0\r\n\r\n", true),
        ("Transfer-Encoding: chunked", "3\r\n123\r\n2\r\n45\r\n0\r\n\r\n", false),
    ])
    func aCutBodyIsMarked(field: String, body: String, isCut: Bool) async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/upload", .text("whole"))
        server.onUpload(.post, "/upload", after: 5, .text("cut", status: 413))
        let client = try RawClient(server)
        try client.send("POST /upload?a=1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(field)\r\n\r\n\(body)")
        #expect(client.readToEnd().text.hasSuffix(isCut ? "cut" : "whole"))
        let request = try #require(server.requests.first)
        #expect(request.isCut == isCut)
        #expect(request.bodyText == (field.hasSuffix("4") ? "1234" : "12345"))
        #expect(request.bodyCount == request.body.count)
    }

    @Test func anAnswerIsMadeOfTheWholeBodyAndItsSize() async throws {
        let server = try await FaultServer.start()
        server.keepBodies(upTo: 3)
        server.on(.post, "/count") { request in .text("\(request.bodyCount) \(request.body.count)") }
        let client = Client(baseURL: server.url)
        #expect(try await client.fetch(Route<String>.post("count", body: .text("hello"))) == "5 5")
        #expect(server.requests.map(\.bodyText) == ["hel"])
        #expect(server.requests.map(\.description) == ["POST /count, 5 B"])
    }

    @Test func recordedBodiesAreBoundedAndForgotten() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/echo") { request in .data(request.body) }
        func post(_ body: String) throws -> String {
            let client = try RawClient(server)
            let length = "Content-Length: \(body.utf8.count)"
            try client.send("POST /echo HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(length)\r\n\r\n\(body)")
            return client.readToEnd().text
        }
        _ = try post("before")
        server.keepBodies(upTo: 3)
        #expect(try post("after").hasSuffix("after"))
        _ = try post("no")
        server.keepBodies(upTo: -1)
        _ = try post("none")
        #expect(server.requests.map(\.bodyText) == ["before", "aft", "no", ""])
        #expect(server.requests.map(\.bodyCount) == [6, 5, 2, 4])

        server.forgetRequests()
        #expect(server.requests.isEmpty)
        let clock = TestClock()
        let waiting = Task { try await server.waitForRequests(count: 1, within: .seconds(1), clock: clock) }
        try await clock.waitForSleepers(count: 1)
        _ = try post("new")
        #expect(try await waiting.value.map(\.number) == [0])
    }
}
