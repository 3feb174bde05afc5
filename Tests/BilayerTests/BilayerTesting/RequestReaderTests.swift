import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

/// The text that a client sends, shortened in the test's output, and the status that the server must answer.
struct Sent: CustomTestStringConvertible, Sendable {
    let status: Int
    let text: String

    init(_ status: Int, _ text: String) { (self.status, self.text) = (status, text) }

    var testDescription: String { "\(status) for \(text.prefix(60).debugDescription)" }
}

@Suite struct RequestReaderTests {
    /// Reads all requests of a text that arrives in pieces of `piece` bytes.
    private func read(
        _ text: String,
        piece: Int = .max,
        limits: RequestLimits = RequestLimits()
    ) throws -> [RecordedRequest] {
        var rest = [UInt8](text.utf8)[...]
        var reader = RequestReader(limits: limits) {
            defer { rest = rest.dropFirst(piece) }
            return [UInt8](rest.prefix(piece))
        }
        var requests: [RecordedRequest] = []
        while let request = try reader.next() { requests.append(request) }
        return requests
    }

    @Test(arguments: [1, 2, 3, 7, 16, Int.max])
    func readsTheSameWhateverThePieces(piece: Int) throws {
        let text =
            "POST /a%2Fb?x=1&y=?#z HTTP/1.1\r\nHost: h\r\nX-Tag: one\r\nx-tag:two \t\r\nContent-Length: 5\r\n\r\nhello"
            + "PUT /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
            + "3;ext=1\r\nabc\r\n00A\r\n0123456789\r\n0\r\nTrailer: t\r\n\r\n"
            + "\r\nGET / HTTP/1.0\r\n\r\n"
        let requests = try read(text, piece: piece)

        try #require(requests.count == 3)
        #expect(requests[0].method == .post)
        #expect(requests[0].target == "/a%2Fb?x=1&y=?#z")
        #expect(requests[0].path == "/a%2Fb")
        #expect(requests[0].query == "x=1&y=?#z")
        #expect(requests[0].headers.map(\.name.rawValue) == ["Host", "X-Tag", "x-tag", "Content-Length"])
        #expect(requests[0].headers.values(for: "X-TAG") == ["one", "two"])
        #expect(requests[0].bodyText == "hello")
        #expect(requests[1].bodyText == "abc0123456789")
        #expect(requests[1].query == nil)
        #expect(requests[2].description == "GET /")
        #expect(requests.map(\.isLastOfConnection) == [false, false, true])
    }

    @Test(arguments: [
        ("HTTP/1.1", "Keep-Alive, Close", true), ("HTTP/1.1", "keep-alive", false), ("HTTP/1.1", "x", false),
        ("HTTP/1.0", "keep-alive", false), ("HTTP/1.0", "x", true),
    ])
    func findsTheLastRequest(version: String, connection: String, isLast: Bool) throws {
        let requests = try read("GET / \(version)\r\nHost: h\r\nConnection: \(connection)\r\n\r\n")
        #expect(requests.map(\.isLastOfConnection) == [isLast])
    }

    @Test("RFC 9112 §2.2: empty lines before a request are ignored", arguments: 1...5, [1, 2, Int.max])
    func emptyLines(count: Int, piece: Int) throws {
        let empty = String(repeating: "\r\n", count: count)
        let request = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
        let requests = try read(empty + request + empty + request, piece: piece)
        #expect(requests.map(\.target) == ["/a", "/a"])
        #expect(throws: ConnectionOver.self) { try read(empty, piece: piece) }
        let many = String(repeating: "\r\n", count: 40_000)
        #expect(throws: RequestRefusal.self) { try read(many + request) }
    }

    @Test(
        "RFC 9112 §3.2.2: a whole address is a target",
        arguments: [
            ("http://h/a%2Fb?x=1", "/a%2Fb?x=1"), ("HTTPS://h:8080/", "/"), ("http://h", "/"),
            ("http://h?x=/", "/?x=/"),
            ("*", "*"), ("/a?b=http://h/c", "/a?b=http://h/c"),
        ]
    )
    func wholeAddresses(target: String, expected: String) throws {
        let requests = try read("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(requests.map(\.target) == [expected])
    }

    private static let head = "POST / HTTP/1.1\r\nHost: h\r\n"
    private static let chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
    private static let long = String(repeating: "x", count: 70_000)

    static let requestLines = [
        Sent(400, " / HTTP/1.1\r\n\r\n"), Sent(400, "GET /\r\n\r\n"),
        Sent(400, "GET  / HTTP/1.1\r\n\r\n"), Sent(400, "GET / HTTP/1.1 \r\n\r\n"), Sent(400, "G,T / HTTP/1.1\r\n\r\n"),
        Sent(400, "GET x HTTP/1.1\r\n\r\n"), Sent(400, "GET /ä HTTP/1.1\r\n\r\n"),
        Sent(400, "\u{16}\u{3}\u{1}\u{2}\r\n"),
        Sent(505, "GET / HTTP/2.0\r\n\r\n"), Sent(505, "GET / http/1.1\r\n\r\n"), Sent(431, "GET /\(long)"),
    ]
    static let fields = [
        Sent(400, "GET / HTTP/1.1\r\n\r\n"), Sent(400, "\(head)Host: again\r\n\r\n"),
        Sent(400, "\(head)no colon\r\n\r\n"),
        Sent(400, "\(head): empty\r\n\r\n"), Sent(400, "\(head)Space : x\r\n\r\n"),
        Sent(400, "\(head)A: b\r\n folded\r\n\r\n"),
        Sent(400, "\(head)A: b\0c\r\n\r\n"), Sent(400, "\(head)A: b\rc\r\n\r\n"), Sent(400, "\(head)A: b\n\r\n"),
        Sent(431, "\(head)A: \(long)\r\n\r\n"), Sent(431, head + String(repeating: "A: b\r\n", count: 300) + "\r\n"),
    ]
    static let bodies = [
        Sent(400, "\(head)Content-Length: -1\r\n\r\n"), Sent(400, "\(head)Content-Length: +1\r\n\r\n"),
        Sent(400, "\(head)Content-Length: 1x\r\n\r\n"), Sent(400, "\(head)Content-Length: \r\n\r\n"),
        Sent(400, "\(head)Content-Length: 1, 1\r\n\r\n"),
        Sent(400, "\(head)Content-Length: 1\r\nContent-Length: 1\r\n\r\n"),
        Sent(400, "\(head)Content-Length: 99999999999999999999\r\n\r\n"),
        Sent(413, "\(head)Content-Length: 67108865\r\n\r\n"),
        Sent(400, "\(head)Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        Sent(501, "\(head)Transfer-Encoding: gzip, chunked\r\n\r\n"),
        Sent(501, "\(head)Transfer-Encoding: identity\r\n\r\n"),
    ]
    static let chunks = [
        Sent(400, "\(chunked)\r\n"), Sent(400, "\(chunked)zz\r\n"), Sent(400, "\(chunked)-1\r\n"),
        Sent(400, "\(chunked)0x1\r\n"), Sent(400, "\(chunked)FFFFFFFFFFFFFFFF\r\n"),
        Sent(413, "\(chunked)7FFFFFFFFFFFFFFF\r\n"), Sent(400, "\(chunked)1\r\nab\r\n"),
        Sent(400, "\(chunked)1\r\na\n\n0\r\n\r\n"), Sent(400, "\(chunked)0\r\nbad trailer\r\n\r\n"),
        Sent(431, "\(chunked)1;\(long)"), Sent(431, "\(chunked)0\r\nA: \(long)"),
    ]

    @Test(arguments: requestLines + fields + bodies + chunks)
    func refusesWhatIsNoRequest(sent: Sent) throws {
        for piece in [1, Int.max] {
            let refusal = #expect(throws: RequestRefusal.self) { try read(sent.text, piece: piece) }
            #expect(refusal?.status.code == sent.status, "\(refusal?.reason ?? "")")
        }
    }

    @Test func endsOnlyBetweenRequests() throws {
        let whole = Self.chunked + "2\r\nab\r\n0\r\n\r\n"
        #expect(try read("").isEmpty)
        for length in 1..<whole.utf8.count {
            #expect(throws: ConnectionOver.self, "after \(length) bytes") {
                try read(String(decoding: whole.utf8.prefix(length), as: UTF8.self))
            }
        }
        #expect(try read(whole).count == 1)
    }

    @Test func keepsToItsBodyLimit() throws {
        let limits = RequestLimits(body: 3)
        #expect(try read(Self.head + "Content-Length: 3\r\n\r\nabc", limits: limits).count == 1)
        #expect(try read(Self.chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", limits: limits).count == 1)
        #expect(throws: RequestRefusal.self) {
            try read(Self.head + "Content-Length: 4\r\n\r\nabcd", limits: limits)
        }
        #expect(throws: RequestRefusal.self) {
            try read(Self.chunked + "2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n", limits: limits)
        }
    }

    @Test func survivesEveryMutationOfASample() throws {
        let sample = [UInt8]((Self.chunked + "2\r\nab\r\n0\r\nA: b\r\n\r\n").utf8)
        for index in sample.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = sample
                bytes[index] = byte
                var isRead = false
                var reader = RequestReader(limits: RequestLimits(head: 200, body: 100)) {
                    defer { isRead = true }
                    return isRead ? [] : bytes
                }
                do {
                    while try reader.next() != nil {}
                } catch is RequestRefusal {
                } catch is ConnectionOver {
                }
            }
        }
    }
}
