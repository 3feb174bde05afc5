import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

private struct SentRequests: CallObserver {
    let count = Watched(0)

    func observe(_ event: CallEvent, in call: CallContext) {
        if case .sent = event.kind { count.withLock { $0 += 1 } }
    }
}

@Suite("Replaying requests with secrets")
struct ReplayingTests {
    private let stub = StubTransport()

    private func replayed(_ recorder: RecordingTransport, keeping: Set<String> = []) throws -> Recording {
        let file = FileManager.default.temporaryDirectory.appending(path: "replay-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try recorder.recording(keeping: keeping).write(to: file)
        return try Recording(contentsOf: file)
    }

    private func client(_ transport: some Transport) -> Client {
        Client(baseURL: URL("https://example.com"), transport: transport)
    }

    private func draws(_ name: String, _ value: String) -> Route<Json> { .get("draws", query: [name: value]) }

    @Test("requests that differ in an id of a ticket get their own answers")
    func idsAreNoSecrets() async throws {
        for id in ["1", "2"] { stub.on(.get, "/draws?ticket_id=\(id)", .json(id)) }
        let recorder = RecordingTransport(stub)
        for id in ["1", "2"] { _ = try await client(recorder).fetch(draws("ticket_id", id)) }
        let replaying = client(ReplayingTransport(try replayed(recorder)))
        for id in ["2", "1"] { #expect(try await replaying.fetch(draws("ticket_id", id)) == Json(Int(id) ?? 0)) }
    }

    /// A dictionary writes the items of a form in a changing order.
    @Test(
        "a form matches in any order of its items, but not of the items with one name",
        arguments: [
            ("pin=1&b=2&a=1&b=3", true), ("b=2&b=3&a=1&pin=9", true), ("a=1&b=2&b=3&pin=1", true),
            ("a=1&b=3&b=2&pin=1", false), ("a=2&b=1&b=3&pin=1", false), ("a=1&b=2&pin=1", false),
            ("a=1&b=2&b=3&pin=1&", false),
        ]
    )
    func formItems(form: String, matches: Bool) async throws {
        func request(_ form: String) -> HTTPRequest {
            HTTPRequest(
                method: .post,
                url: URL("https://example.com/x"),
                headers: [.contentType: "application/x-www-form-urlencoded"],
                body: .data(Data(form.utf8))
            )
        }
        stub.on(.post, "/x", .json("1"))
        let recorder = RecordingTransport(stub)
        _ = try await recorder.process(request("b=2&a=1&b=3&pin=4"))
        let replaying = ReplayingTransport(try replayed(recorder))
        if matches {
            #expect(try await replaying.process(request(form)).status == 200)
        } else {
            await #expect(throws: TransportError.self) { try await replaying.process(request(form)) }
        }
    }

    @Test("requests that differ in a secret get the answers in the order of the recording")
    func secretsDiffer() async throws {
        for token in ["one", "two"] { stub.on(.get, "/draws?token=\(token)", .json(#"{"token":"\#(token)"}"#)) }
        let recorder = RecordingTransport(stub)
        for token in ["one", "two", "one"] { _ = try await client(recorder).fetch(draws("token", token)) }
        let recording = try replayed(recorder)
        #expect(recording.redactedNames == ["token"])
        #expect(recording.description == "Recording(3, redacted: token)")
        let transport = ReplayingTransport(recording)
        #expect(transport.unusedRequests == ["GET /draws?token=redacted", "GET /draws?token=redacted"])
        let replaying = client(transport)
        for (token, expected) in [("x", 1), ("y", 2), ("x", 1), ("y", 2)] {
            #expect(try await replaying.fetch(draws("token", token))["token"] == Json("redacted-\(expected)"))
        }
        // A value that the app has from a replayed response is sent unchanged.
        #expect(try await replaying.fetch(draws("token", "redacted-2"))["token"] == "redacted-2")
        #expect(transport.unusedRequests.isEmpty)
        let error = await #expect(throws: CallError.self) { try await replaying.fetch(draws("token", "z")) }
        #expect(error?.description.contains("recorded with other values of token") == true)
    }

    @Test("the only recorded secret stands for any")
    func oneSecret() async throws {
        stub.on(.get, "/draws", .json("1"))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(draws("token", "one"))
        let replaying = client(ReplayingTransport(try replayed(recorder)))
        for token in ["x", "y"] { #expect(try await replaying.fetch(draws("token", token)) == 1) }
    }

    @Test("a kept name is one of the request, and in no list")
    func kept() async throws {
        for pin in ["1", "2"] { stub.on(.get, "/draws?pin=\(pin)", .json(pin)) }
        let recorder = RecordingTransport(stub)
        for pin in ["1", "2"] { _ = try await client(recorder).fetch(draws("pin", pin)) }
        let recording = try replayed(recorder, keeping: ["pin"])
        #expect(recording.redactedNames.isEmpty && recording.description == "Recording(2)")
        let replaying = client(ReplayingTransport(recording))
        for pin in ["2", "1"] { #expect(try await replaying.fetch(draws("pin", pin)) == Json(Int(pin) ?? 0)) }
    }

    @Test("a quoted number stays one")
    func shapes() {
        var placeholders = Placeholders()
        func placeholder(_ text: String, isNumber: Bool = false) -> String {
            placeholders.placeholder(for: .init(text: text, name: "pin", isNumber: isNumber))
        }
        #expect(placeholder("s3cr3t") == "redacted-1")
        #expect(placeholder("12.50") == "10.02")
        #expect(placeholder("-0.5") == "-1.3")
        #expect(placeholder("4821") == "1004")
        #expect(placeholder("7") == "5")
        #expect(placeholder("s3cr3t") == "redacted-1")
        #expect(placeholder("4821", isNumber: true) == "4")
        #expect(placeholder("1e9") == "redacted-6")
        for value in 100..<300 { _ = placeholder("\(value)") }
        let all = (0..<10).map { placeholder("\($0)") } + (100..<300).map { placeholder("\($0)") }
        #expect(Set(all).count == all.count)
    }

    @Test("an error against a redacted value says what is redacted")
    func mappingError() async throws {
        struct Entry: Codable, RawMappable, Sendable { let token: UUID }
        stub.on(.get, "/draws", .json(#"{"token":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F"}"#))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Entry>.get("draws"))
        let replaying = client(ReplayingTransport(try replayed(recorder)))
        let error = await #expect(throws: CallError.self) { try await replaying.fetch(Route<Entry>.get("draws")) }
        #expect(error?.events.map(\.text).contains("replayed; redacted: token") == true)
    }

    /// Quoted numbers stay numbers, so their placeholders look like any number.
    @Test("a number that the app has received is its own", arguments: [#"{"otp":"%"}"#, #"{"otp":%}"#])
    func receivedNumbers(form: String) async throws {
        let codes = ["111111", "222222"]
        for code in codes {
            let answer = form.replacing("%", with: code)
            stub.on(.get, "/codes/\(code)", .json(answer))
        }
        stub.on(.post, "/verify") { request in
            let sent = String(decoding: request.body?.data ?? Data(), as: UTF8.self)
            return .json(sent.contains(codes[0]) ? "1" : "2")
        }
        let recorder = RecordingTransport(stub)
        func verified(_ client: Client, _ code: String) async throws -> Json {
            let otp = try #require(try await client.fetch(Route<Json>.get("codes/\(code)"))["otp"])
            return try await client.fetch(Route<Json>.post("verify", body: ["otp": otp] as Json))
        }
        for code in codes { _ = try await verified(client(recorder), code) }
        let replaying = client(ReplayingTransport(try replayed(recorder)))
        #expect(try await verified(replaying, codes[1]) == 2)
        #expect(try await verified(replaying, codes[0]) == 1)
    }

    @Test("a stream that was lost is replayed with its error, and so is a download that was resumed")
    func lostStreams() async throws {
        let film = Data((0..<1_000).map { UInt8(32 + $0 % 90) })
        let server = try await FaultServer.start()
        let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n"
        server.on(.get, "/film") { request in
            request.headers["Range"] == nil
                ? Reply(.head(head), .body(film.prefix(300)), .close)
                : .resource(film, to: request, contentType: "text/plain", eTag: "\"1\"")
        }
        let lines = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
        server.on(.get, "/lines") { _ in Reply(.head(lines), .body("4\r\n1\n2\n\r\n"), .close) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "lost-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func run(_ client: Client, _ name: String) async throws {
            let file = folder.appending(path: name)
            let policy = Reconnection.afterLoss(firstWait: .milliseconds(1))
            try await client.download(.get("film"), to: file, reconnecting: policy).file()
            #expect(try Data(contentsOf: file) == film)
            var numbers: [Json] = []
            let error = await #expect(throws: CallError.self) {
                for try await number in client.stream(Route<Json>.get("lines"), as: .lines) { numbers.append(number) }
            }
            #expect((error?.underlyingError as? TransportError)?.kind == .brokenBody)
            #expect(numbers == [1, 2])
        }
        let recorder = RecordingTransport(try BuiltInTransport.allCases[0].transport())
        try await run(Client(baseURL: server.url, transport: recorder), "live")
        #expect(recorder.exchanges.count == 3)
        try await run(client(ReplayingTransport(try replayed(recorder))), "replayed")
    }

    /// `Last-Modified` proves that a file is unchanged only with a `Date`, which differs from run to run.
    @Test("a download that was resumed by a date is replayed")
    func resumedByDate() async throws {
        let film = Data(repeating: 65, count: 1_000)
        let server = try await FaultServer.start()
        let fields = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: text/plain\r\n"
        server.on(.get, "/film") { request in
            let date = "Date: \(HTTPDate.text(of: Date()))\r\n"
            let start = "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 300-999/1000\r\nContent-Length: 700\r\n"
            return request.headers["Range"] == nil
                ? Reply(
                    .head("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\(date)\(fields)\r\n"),
                    .body(film.prefix(300)),
                    .close
                ) : Reply(.head("\(start)\(date)\(fields)\r\n"), .body(film.dropFirst(300)))
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "resumed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        func run(_ client: Client) async throws {
            let policy = Reconnection.afterLoss(firstWait: .milliseconds(1))
            try await client.download(.get("film"), to: file, reconnecting: policy).file()
            #expect(try Data(contentsOf: file) == film)
            try FileManager.default.removeItem(at: file)
        }
        let recorder = RecordingTransport(try BuiltInTransport.allCases[0].transport())
        try await run(Client(baseURL: server.url, transport: recorder))
        #expect(recorder.exchanges.count == 2)
        try await run(client(ReplayingTransport(try replayed(recorder))))
    }

    @Test("dates are replayed as long after the response as they were recorded")
    func dates() async throws {
        stub.on(
            .get,
            "/a",
            .status(
                503,
                headers: [.date: "Sun, 06 Nov 1994 08:00:00 GMT", .retryAfter: "Sun, 06 Nov 1994 09:00:00 GMT"]
            )
        )
        stub.on(.get, "/b", .status(503, headers: [.date: "Sun, 06 Nov 1994 08:00:00 GMT", .retryAfter: "60"]))
        let recorder = RecordingTransport(stub)
        for name in ["a", "b"] {
            _ = try await recorder.process(HTTPRequest(url: try #require(URL(string: "https://example.com/\(name)"))))
        }
        let transport = ReplayingTransport(try replayed(recorder))
        let response = try await transport.process(HTTPRequest(url: URL("https://example.com/a")))
        let (sent, after) = (response.headers[.date], response.headers[.retryAfter])
        let date = try #require(sent.flatMap { HTTPDate.parse($0) })
        #expect(after.flatMap { HTTPDate.parse($0) } == date + 3_600)
        #expect(date > Date() - 600)
        let other = try await transport.process(HTTPRequest(url: URL("https://example.com/b")))
        #expect(other.headers[.date] == nil && other.headers[.retryAfter] == "60")
    }

    @Test(
        "links are followed from the address that a redirect led to",
        arguments: ["https://example.com", "http://[::1]:8080", "http://[::1]"]
    )
    func redirectedPages(base: String) async throws {
        let base = try #require(URL(string: base))
        stub.on(.get, "/v2/list/items?page=2", .json("[2]"))
        let redirecting = AnyNode<HTTPRequest, HTTPResponse> { [stub] request, context in
            guard request.url.path == "/v1/items" else { return try await stub.process(request, in: context) }
            return HTTPResponse(
                status: 200,
                headers: [.link: #"<items?page=2>; rel="next""#],
                body: Data("[1]".utf8),
                url: URL(string: "/v2/list/items?b=1&a=2", relativeTo: base)?.absoluteURL
            )
        }
        func items(_ transport: some Transport) async throws -> [Json] {
            var found: [Json] = []
            let client = Client(baseURL: base, transport: transport)
            let pages = client.pages(of: Route<[Json]>.get("v1/items"), by: .link())
            for try await item in pages.elements { found.append(item) }
            return found
        }
        let recorder = RecordingTransport(redirecting)
        #expect(try await items(recorder) == [1, 2])
        #expect(try await items(ReplayingTransport(try replayed(recorder))) == [1, 2])
    }

    @Test("an uploaded file that the app has removed since is replayed")
    func removedFiles() async throws {
        stub.on(.put, "/film", .json("1"))
        let recorder = RecordingTransport(stub)
        func upload(_ transport: some Transport) async throws {
            let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
            try Data("film".utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            var request = HTTPRequest(method: .put, url: URL("https://example.com/film"))
            request.body = .file(at: file)
            _ = try await transport.process(request)
        }
        try await upload(recorder)
        let recording = try replayed(recorder)
        #expect(recording.exchanges.map(\.request.body) == ["film"])
        try await upload(ReplayingTransport(recording))
    }

    @Test("a request that no transport sends is refused")
    func invalidRequests() async throws {
        let recorder = RecordingTransport(stub)
        stub.on(.get, "/a", .json("1"))
        var request = HTTPRequest(url: URL("https://example.com/a"))
        _ = try await recorder.process(request)
        request.headers["X"] = "a\r\nB: c"
        let transport = ReplayingTransport(try replayed(recorder))
        let error = await #expect(throws: TransportError.self) { try await transport.process(request) }
        #expect(error?.kind == .invalidRequest)
    }

    @Test("a compressed body of a request is left out as a whole", arguments: ["application/x-ndjson", "text/plain"])
    func compressedBodies(type: String) async throws {
        stub.on(.post, "/a", .json("1"), .json("2"))
        let recorder = RecordingTransport(stub)
        var request = HTTPRequest(method: .post, url: URL("https://example.com/a"))
        request.headers = [.contentType: type, .contentEncoding: "gzip"]
        request.body = .data(Data([0x1F, 0x8B, 0x08, 0x00]))
        _ = try await recorder.process(request)
        request.body = .data(Data([0x1F, 0x8B, 0x08, 0x01]))
        _ = try await recorder.process(request)
        let recording = try replayed(recorder)
        #expect(recording.exchanges.map(\.request.body) == ["redacted", "redacted"])
        // A request with other bytes is another request.
        let transport = ReplayingTransport(recording)
        var bodies: [String] = []
        for last in [0x00, 0x01] as [UInt8] {
            request.body = .data(Data([0x1F, 0x8B, 0x08, last]))
            bodies.append(String(decoding: try await transport.process(request).body, as: UTF8.self))
        }
        #expect(bodies == ["1", "2"])
    }

    @Test("a replayed request is sent for those that observe the call")
    func observedReplays() async throws {
        stub.on(.get, "/a", .json("1"))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Json>.get("a"))
        var client = client(ReplayingTransport(try replayed(recorder)))
        let observer = SentRequests()
        client.observer = observer
        _ = try await client.fetch(Route<Json>.get("a"))
        #expect(observer.count.withLock { $0 } == 1)
    }

    @Test("a request without a stream gets the error of a body that was lost")
    func lostBody() async throws {
        let response = HTTPResponse(status: 200, body: Data())
        let recorder = RecordingTransport(
            StubTransport { _, _ in
                var answer = response
                answer.stream = .stream {
                    AsyncThrowingStream<Data, any Error> { $0.finish(throwing: TransportError(.timedOut)) }
                }
                return answer
            }
        )
        let request = HTTPRequest(url: URL("https://example.com/a"))
        let live = try await recorder.process(request)
        await #expect(throws: TransportError.self) { try await live.stream?.collected() }
        let transport = ReplayingTransport(try replayed(recorder))
        let error = await #expect(throws: TransportError.self) { try await transport.process(request) }
        #expect(error?.kind == .timedOut)
    }

    @Test("a stream that its reader left is not replayed as a whole one", arguments: [0, 1, 2])
    func leftStreams(count: Int) async throws {
        let recorder = RecordingTransport(
            StubTransport { _, _ in
                var response = HTTPResponse(status: 200)
                response.stream = .stream { Self.numbers }
                return response
            }
        )
        let live = client(recorder).stream(Route<Json>.get("a"), as: .lines)
        var found: [Json] = []
        // The reader leaves the stream early, as that of a download does at its deadline.
        if count > 0 { for try await number in live.prefix(count) { found.append(number) } }
        if count == 0 { _ = try await recorder.process(HTTPRequest(url: URL("https://example.com/a"))) }
        var again: [Json] = []
        let replaying = client(ReplayingTransport(try replayed(recorder)))
        let error = await #expect(throws: CallError.self) {
            for try await number in replaying.stream(Route<Json>.get("a"), as: .lines) { again.append(number) }
        }
        #expect((error?.underlyingError as? TransportError)?.kind == .other)
        #expect(again.starts(with: found) && again.count <= 3)
    }

    /// Three lines, each in a chunk of its own.
    private static var numbers: AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { chunks in
            for number in 1...3 { chunks.yield(Data("\(number)\n".utf8)) }
            chunks.finish()
        }
    }

    @Test("a request that streams gets a stream, and an error its body")
    func streams() async throws {
        stub.on(.get, "/a", .text("1\n2\n"), .status(500))
        let recorder = RecordingTransport(stub)
        let url = URL("https://example.com/a")
        for _ in 1...2 { _ = try await recorder.process(HTTPRequest(url: url)) }
        var request = HTTPRequest(url: url)
        request.streamsResponse = true
        let transport = ReplayingTransport(try replayed(recorder))
        let response = try await transport.process(request)
        #expect(response.body.isEmpty)
        #expect(try await response.stream?.collected() == Data("1\n2\n".utf8))
        #expect(try await transport.process(request).stream == nil)
        #expect(transport.streamsResponses)
    }
}
