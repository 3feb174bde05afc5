import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Replies of the fault server, as bytes and as what a client makes of them", .timeLimit(.minutes(5)))
struct ReplyTests {
    /// What a bare client reads of a reply, up to the end of the connection.
    private func text(of reply: Reply) async throws -> String {
        let server = try await FaultServer.start()
        server.on(.get, "/", reply)
        let client = try RawClient(server)
        try client.send(get("/", "Connection: close"))
        return client.readToEnd().text
    }

    /// The response that a client receives.
    private func response(to reply: Reply) async throws -> HTTPResponse {
        let server = try await FaultServer.start()
        server.on(.get, "/", reply)
        let request = HTTPRequest(method: .get, url: server.url)
        return try await DefaultTransport().process(request, in: CallContext())
    }

    @Test(
        "a challenge has its status, its field and a body",
        arguments: [
            (
                Reply.bearerChallenge(realm: "shop"), 401, "WWW-Authenticate",
                #"Bearer realm="shop", error="invalid_token""#
            ),
            (
                .digestChallenge(realm: "shop", nonce: "7"), 401, "WWW-Authenticate",
                #"Digest realm="shop", qop="auth", algorithm=SHA-256, nonce="7""#
            ),
            (.proxyChallenge(realm: "shop"), 407, "Proxy-Authenticate", #"Basic realm="shop""#),
        ] as [(Reply, Int, String, String)]
    )
    func challenges(reply: Reply, status: Int, field: String, value: String) async throws {
        let text = try await text(of: reply)
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(text.contains("\r\n\(field): \(value)\r\n"))
        #expect(text.hasSuffix(#"{"error":"unauthorized"}"#))
    }

    @Test("a bearer challenge arrives as a 401 with its body")
    func bearer() async throws {
        let response = try await response(to: .bearerChallenge())
        #expect(response.status == 401)
        #expect(response.body == Data(#"{"error":"unauthorized"}"#.utf8))
    }

    @Test(arguments: [(Reply.retryAfter("7"), 503, "7"), (.retryAfter("soon", status: 429), 429, "soon")])
    func retryAfterIsSentAsItIs(reply: Reply, status: Int, value: String) async throws {
        let response = try await response(to: reply)
        #expect(response.status.code == status)
        #expect(response.headers[.retryAfter] == value)
    }

    @Test func aHugeHeadHasItsFields() async throws {
        let text = try await text(of: .hugeHead(fields: 300, bytes: 100))
        #expect(text.components(separatedBy: "\r\nX-Field-").count == 301)
        #expect(text.contains("\r\nX-Field-299: \(String(repeating: "v", count: 100))\r\n"))
        #expect(text.hasSuffix("\r\n\r\n{}"))
    }

    @Test("the size of a chunk is sent as it is", arguments: ["zz", "-1", "FFFFFFFFFFFFFFFFF"])
    func chunkSize(size: String) async throws {
        #expect(try await text(of: .chunkSize(size)).hasSuffix("\r\n\r\n\(size)\r\n[]"))
    }

    @Test("a throttled reply has the same bytes, in pieces with pauses")
    func throttled() async throws {
        let plain = Reply.json(#"{"name":"Ada"}"#)
        #expect(try await text(of: plain.throttled(to: 100_000)) == text(of: plain))
        let slow = plain.throttled(to: 100).actions
        let pieces = slow.compactMap { action -> Data? in
            switch action {
            case .head(let bytes), .body(let bytes): bytes
            default: nil
            }
        }
        #expect(pieces.allSatisfy { (1...10).contains($0.count) })
        #expect(slow.count { $0 == .pause(.milliseconds(100)) } == pieces.count)
        #expect(joined(slow) == plain.actions)
        let repeated = Reply.repeating(Data("0123456789ab".utf8), count: 2)
        let whole = Reply.Action.body("0123456789ab0123456789ab")
        #expect(joined(repeated.throttled(to: 50).actions) == repeated.actions.prefix(1) + [whole])
    }

    /// Actions without their pauses, and with the pieces of a head or a body as one.
    private func joined(_ actions: [Reply.Action]) -> [Reply.Action] {
        actions.reduce(into: []) { joined, action in
            switch (joined.last, action) {
            case (_, .pause): break
            case (.head(let start), .head(let more)): joined[joined.count - 1] = .head(start + more)
            case (.body(let start), .body(let more)): joined[joined.count - 1] = .body(start + more)
            default: joined.append(action)
            }
        }
    }
}
