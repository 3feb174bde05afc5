#if os(Linux)
import Foundation
import Testing

@testable import Bilayer
@testable import BilayerTesting

/// RFC 9110 §5.5: field values may have bytes beyond ASCII. The bytes of tags and addresses go back as they have come.
@Suite("CurlTransport: bytes of field values beyond ASCII", .timeLimit(.minutes(5)))
struct CurlFieldBytesTests {
    private static func reply(_ fields: String, _ body: String = "[]", status: String = "200 OK") -> Reply {
        let head = "HTTP/1.1 \(status)\r\n\(fields)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return Reply(.head(latin(head)), .body(body))
    }

    private static func latin(_ text: String) -> Data { text.data(using: .isoLatin1) ?? Data() }

    @Test func aValueThatIsNoUTF8IsISO8859() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Self.reply("X-Place: caf\u{e9}\r\nX-Text: \u{c3}\u{a9}"))
        let response = try await CurlTransport().process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.headers["X-Place"] == "caf\u{e9}")
        #expect(response.headers["X-Text"] == "\u{e9}")
    }

    // The bytes of the second tag are also valid UTF-8; a tag is compared as bytes.
    @Test(arguments: ["\"caf\u{e9}\"", "\"\u{c3}\u{a9}\"", "\"a\""])
    func aTagGoesBackWithItsBytes(tag: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Self.reply("Cache-Control: no-cache\r\nETag: \(tag)"))
        let transport = try CurlTransport().wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        for _ in 0..<2 {
            _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "x")), in: CallContext())
        }
        let head = try #require(server.requests.last).head
        #expect(head.range(of: Self.latin("If-None-Match: \(tag)\r\n")) != nil)
    }

    @Test(arguments: [("/caf\u{e9}?a=\u{e8}", "/caf%E9?a=%E8"), ("/\u{c3}\u{a9}", "/%C3%A9"), ("/%C3%A9", "/%C3%A9")])
    func anAddressIsAskedForWithItsBytes(location: String, target: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", Self.reply("Location: \(location)", status: "302 Found"))
        server.on(.get, target, .json("[1]"))
        let response = try await CurlTransport().process(HTTPRequest(url: server.url.appending(path: "x")))
        #expect(response.status == 200)
        #expect(server.requests.map(\.target) == ["/x", target])
    }

    @Test func aFileWithAnotherTagBeginsAgain() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x") { request in
            if request.number == 0 {
                let head = "HTTP/1.1 200 OK\r\nETag: \"\u{e9}\"\r\nContent-Length: 10\r\n\r\n"
                return Reply(.head(Self.latin(head)), .body("AAAAA"), .close)
            }
            if request.headers["Range"] == nil { return .text("BBBBBBBBBB") }
            return Self.reply("ETag: \"\u{e8}\"\r\nContent-Range: bytes 5-9/10", "BBBBB", status: "206 Part")
        }
        try await withFolder { folder in
            let client = Client(baseURL: server.url, transport: try CurlTransport())
            let place = folder.appendingPathComponent("x")
            let again = Reconnection.afterLoss(attempts: 3, firstWait: .zero)
            try await client.download(.get("x"), to: place, reconnecting: again).file()
            #expect(try String(contentsOf: place, encoding: .utf8) == "BBBBBBBBBB")
        }
        let head = try #require(server.requests.dropFirst().first).head
        #expect(head.range(of: Self.latin("If-Range: \"\u{e9}\"\r\n")) != nil)
    }
}
#endif
