import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite("Recording and replaying")
struct RecordingTests {
    private let stub = StubTransport()

    private func replayed(
        _ recorder: RecordingTransport,
        redacting names: Set<String> = []
    ) throws -> (
        ReplayingTransport, String
    ) {
        let file = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try recorder.recording(redacting: names).write(to: file)
        let text = try String(contentsOf: file, encoding: .utf8)
        return (ReplayingTransport(try Recording(contentsOf: file)), text)
    }

    private func client(_ transport: some Transport) -> Client {
        Client(baseURL: URL("https://example.com"), transport: transport)
    }

    @Test func requestsMayComeInAnyOrder() async throws {
        stub.on(.get, "/a", .json("1"), .json("2"))
        stub.on(.get, "/b?x=1", .json("3"))
        stub.on(.post, "/a", .json("4", status: 201))
        let recorder = RecordingTransport(stub)
        let live = client(recorder)
        for _ in 1...2 { _ = try await live.fetch(Route<Json>.get("a")) }
        _ = try await live.fetch(Route<Json>.get("b", query: ["x": 1]))
        _ = try await live.fetch(Route<Json>.post("a", body: ["k": 1] as Json))

        let (transport, _) = try replayed(recorder)
        let client = client(transport)
        #expect(transport.unusedRequests == ["GET /a", "GET /b?x=1", "POST /a"])
        #expect(try await client.fetch(Route<Json>.post("a", body: ["k": 1] as Json)) == 4)
        #expect(try await client.fetch(Route<Json>.get("b", query: ["x": 1])) == 3)
        for expected: Json in [1, 2, 2] { #expect(try await client.fetch(Route<Json>.get("a")) == expected) }
        #expect(transport.unusedRequests.isEmpty)
    }

    @Test func aRequestIsFoundByWhatItMeans() async throws {
        stub.on(.post, "/a", .json("1"))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder)
            .fetch(Route<Json>.post("a", query: ["x": 1, "y": 2], body: ["k": 1, "l": [2]] as Json))
        let client = client(try replayed(recorder).0)
        let same = Route<Json>.post("a", query: ["y": 2, "x": 1], body: ["l": [2], "k": 1] as Json)
        #expect(try await client.fetch(same) == 1)
    }

    @Test(
        "a request that was not recorded says why",
        arguments: [
            (Route<Json>.get("a"), "recorded with another method or query"),
            (Route<Json>.post("a", body: ["k": 2] as Json), "recorded with another body"),
            (Route<Json>.get("b"), "no request of this path is recorded"),
        ]
    )
    func aRequestThatWasNotRecorded(route: Route<Json>, reason: String) async throws {
        stub.on(.post, "/a", .json("1"))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Json>.post("a", body: ["k": 1] as Json))
        let replaying = client(try replayed(recorder).0)
        let error = await #expect(throws: CallError.self) { try await replaying.fetch(route) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test func secretsAreNotRecorded() async throws {
        stub.on(
            .post,
            "/login",
            .json(
                #"{"user":"Ada","accessToken":"s3cr3t","deep":[{"password":"s3cr3t","pin":1234}]}"#,
                headers: ["Set-Cookie": "id=s3cr3t", "X-Kind": "plain", "Date": "today"]
            )
        )
        let recorder = RecordingTransport(stub)
        let body: Json = ["password": "s3cr3t", "pin": 1234, "name": "Ada"]
        let route = Route<Json>.post("login", query: ["token": "s3cr3t"], headers: ["X-Api-Key": "s3cr3t"], body: body)
        _ = try await client(recorder).fetch(route)
        let (transport, text) = try replayed(recorder, redacting: ["pin"])
        #expect(!text.contains("s3cr3t"))
        #expect(!text.contains("1234"))
        #expect(!text.contains("today"))
        #expect(text.contains("plain"))

        // A request with another secret counts as the recorded one.
        let other: Json = ["password": "other", "pin": 9, "name": "Ada"]
        let answer = try await client(transport).fetch(Route<Json>.post("login", query: ["token": "x"], body: other))
        #expect(answer["user"] == "Ada")
        #expect(answer["deep"]?[0]?["password"] == "redacted-1")
    }

    @Test func secretsInsideOfASecretMemberAreNotRecorded() async throws {
        let answer = #"{"tokens":["s3cr3t",{"value":"s3cr3t"}],"password":{"old":"s3cr3t","new":["s3cr3t"]},"n":1}"#
        stub.on(.post, "/a", .json(answer))
        let recorder = RecordingTransport(stub)
        let body: Json = ["password": ["old": "s3cr3t"], "n": 1]
        _ = try await client(recorder).fetch(Route<Json>.post("a", query: ["client_secret": "s3cr3t"], body: body))
        let (transport, text) = try replayed(recorder, redacting: ["tokens"])
        #expect(!text.contains("s3cr3t"))
        let other: Json = ["password": ["old": "x"], "n": 1]
        let route = Route<Json>.post("a", query: ["client%5Fsecret": "y"], body: other)
        _ = try? await client(transport).fetch(route)
        let same = Route<Json>.post("a", query: ["client_secret": "y"], body: other)
        #expect(try await client(transport).fetch(same)["n"] == 1)
    }

    private static let secretBodies: [(String, String, String.Encoding)] = [
        ("application/x-ndjson", "{\"token\":\"s3cr3t\"}\r\n{\"token\":\"s3cr3t\"}\r\n", .utf8),
        ("application/x-ndjson", "{\"token\":\"s3cr3t\"}\r{\"token\":\"s3cr3t\"}", .utf8),
        (
            "text/event-stream", "id: 1\ndata: {\"token\":\ndata: \"s3cr3t\"}\n\ndata: {\"token\":\"s3cr3t\"}\r\n\r\n",
            .utf8
        ),
        ("application/x-ndjson", "{\"a\":\"\\\"\"}\n{\"id\":2,\"token\":\"s3cr3t\",\"x", .utf8),
        ("text/plain", "{\n  \"token\": \"s3cr3t\"\n}", .utf8),
        ("application/json", "{\n  \"user\": \"ada\",\n  \"token\": \"s3cr3t\",\n  \"x\": 1", .utf8),
        ("application/json", "{\n  \"token\": \"s3cr3t\",\n}", .utf8),
        ("application/json", "{\n  \"token\":\n    \"s3cr3t\",\n", .utf8),
        ("application/json", "{\n  \"token\"\n  : \"s3cr3t\",\n", .utf8),
        ("application/json", "{\n  \"token\" :\t{\n    \"a\": \"s3cr3t\"", .utf8),
        ("application/json", "{\n  \"token\": [\n    \"s3cr3t\"", .utf8),
        ("application/json", "{\n \"a\": 1\n}\n{\n \"token\": \"s3cr3t\"\n}\n", .utf8),
        ("application/json", #"{"payload":"{\"token\": \"s3cr3t\"}"}"#, .utf8),
        ("application/json", #"{"payload":["{\"a\":\"{\\\"token\\\":\\\"s3cr3t\\\"}\"}"]}"#, .utf8),
        ("text/event-stream", "data: {\ndata:  \"token\": \"s3cr3t\",\n", .utf8),
        ("application/x-www-form-urlencoded", "variables=%7B%0A%22password%22%3A%20%22s3cr3t%22%2C%7D", .utf8),
        ("application/json; charset=utf-16", "{\"token\":\"s3cr3t\"}", .utf16),
        ("application/json; charset=iso-8859-1", "{\"é\":1,\"token\":\"s3cr3t\"}", .isoLatin1),
        ("application/x-www-form-urlencoded", "a=é&token=s3cr3t", .isoLatin1),
        ("application/x-www-form-urlencoded", "variables=%7B%22password%22%3A%22s3cr3t%22%7D", .utf8),
        ("multipart/mixed; boundary=b", "--b\r\n\r\n{\n \"token\": \"s3cr3t\"}\r\n--b--\r\n", .utf8),
        (
            "multipart/form-data; boundary=b",
            "--b\r\ncontent-disposition: form-data; name=password\r\n\r\ns3cr3t\r\n--b--\r\n", .utf8
        ),
        (
            "multipart/form-data; boundary=b",
            "--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n"
                + "{\"variables\":{\"password\":\"s3cr3t\"}}\r\n--b--\r\n", .utf8
        ),
    ]

    @Test("secrets are found in each form of a body, sent and received", arguments: secretBodies)
    func secretsInBodies(type: String, text: String, encoding: String.Encoding) async throws {
        let bytes = try #require(text.data(using: encoding))
        stub.on(.post, "/a", .response(HTTPResponse(status: 200, headers: [.contentType: type], body: bytes)))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.post("a", body: .bytes(bytes, mediaType: type)))
        let exchange = try #require(recorder.recording().exchanges.first)
        for body in [
            exchange.body, Data(exchange.request.body.utf8), Data(base64Encoded: exchange.request.body) ?? Data(),
        ] {
            for encoding in [String.Encoding.utf8, .isoLatin1, .utf16] {
                #expect(String(data: body, encoding: encoding)?.contains("s3cr3t") != true)
            }
        }
    }

    @Test(
        "secrets are found in addresses inside of a body, and after a quotation mark that ends no text",
        arguments: [
            (#"{"next":"https://e.example/a?page=2&api_key=s3cr3t"}"#, "page=2"),
            (#"[{"links":["/a?access_token=s3cr3t#x"]}]"#, "/a?"),
            (#"cb({"note":"a \"b","access_token":"s3cr3t"})"#, "note"),
            (#"{"note":"a \\","access_token":"s3cr3t""#, "note"), (#"{"access_token":"s3cr3t","note":"a \"#, "{"),
        ]
    )
    func secretsBesideOtherTexts(text: String, kept: String) async throws {
        stub.on(.get, "/a", .json(text))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.get("a"))
        let body = String(decoding: try #require(recorder.recording().exchanges.first?.body), as: UTF8.self)
        #expect(!body.contains("s3cr3t") && body.contains("redacted") && body.contains(kept), "\(body)")
    }

    @Test(
        "secrets are found in each link of a body, and in the addresses inside of its values",
        arguments: [
            "?page=2&access_token=s3cr3t", "list?access_token=s3cr3t", "./x?access_token=s3cr3t",
            "mailto:a@b.c?access_token=s3cr3t", "callback#access_token=s3cr3t", "?a=1;access_token=s3cr3t",
            "https://e.example/?a=1;access_token=s3cr3t;s3cr3t", "https://e.example/a;jsessionid=s3cr3t/b?x=1",
            "/a?next=https%3A%2F%2Fi.example%2F%3Faccess_token%3Ds3cr3t", "see list?access_token=s3cr3t, then ask",
            "/a?next=%2Fb%3Fnext%3D%252Fc%253Faccess_token%253Ds3cr3t", "[list](list?access_token=s3cr3t)",
            "/a?x=1;next=https%3A%2F%2Fi.example%2F%3Faccess_token%3Ds3cr3t",
        ]
    )
    func secretsInLinks(link: String) async throws {
        let body: Json = ["next": Json(link), "page": 2]
        stub.on(.get, "/a", .json(String(decoding: body.serialized(), as: UTF8.self)))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.get("a"))
        let text = String(decoding: try #require(recorder.recording().exchanges.first?.body), as: UTF8.self)
        #expect(!text.contains("s3cr3t") && text.contains("redacted") && text.contains(#""page":2"#), "\(text)")
    }

    /// Addresses in the queries of addresses: one that is too deep is left out.
    @Test func addressesInAddressesEnd() async throws {
        var link = "/a?token=s3cr3t"
        for _ in 0..<100 {
            link = "/a?u=" + link.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("=", with: "%3D")
        }
        stub.on(.get, "/a", .json(#"{"next":"\#(link)"}"#))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.get("a"))
        let text = String(decoding: try #require(recorder.recording().exchanges.first?.body), as: UTF8.self)
        #expect(!text.contains("s3cr3t") && text.contains("redacted"))
        #expect(link.count > 20_000 && text.count < 5_000)
    }

    /// The last text has 100,000 double slashes. If the time grew with their square, the test would take very long.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            #"{"a":"What is it? token=5, you say"}"#, #"{"a":"^(?:token=[0-9]+)(?=x)$"}"#, #"{"a":"a;token=5"}"#,
            #"{"a":"/list?page=2;sort=name&q=a%3Bb"}"#, #"{"a":"text/html;charset=utf-8"}"#, #"{"a":"W/\"a?b\""}"#,
            #"{"a":"/a?next=https%3A%2F%2Fi.example%2F%3Fpage%3D2"}"#, #"{"a":"Really?=5&x"}"#, #"{"a":"b?a,c;d"}"#,
            #"{"a":"{\"b\":\"https://e.example/\",\"c\":\"C#key=5\"}"}"#,
            #"{"a":"https://cdn.example//img@2x.png"}"#, #"{"a":"C#key=5"}"#, #"{"a":"1//2@3"}"#, #"{"a":"/x?key="}"#,
            #"{"a":""# + String(repeating: "//a", count: 100_000) + #""}"#,
        ]
    )
    func textsThatAreNoSecretsStay(text: String) async throws {
        stub.on(.get, "/a", .json(text))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.get("a"))
        let body = try #require(recorder.recording().exchanges.first?.body)
        #expect(body == Data(text.utf8))
    }

    /// A recording of a cut body leaves out only what may be a secret.
    @Test func theRestOfACutBodyStays() async throws {
        let text = "{\n  \"a\": 1,\n  \"token\": \"s3cr3t\",\n  \"b\": 2"
        stub.on(.get, "/a", .response(HTTPResponse(status: 200, body: Data(text.utf8))))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.get("a"))
        let body = try #require(recorder.recording().exchanges.first?.body)
        #expect(String(decoding: body, as: UTF8.self) == "{\n  \"a\": 1,\n  \"token\": \"redacted-1\",\n  \"b\": 2")
    }

    @Test(
        "secrets are found in addresses",
        arguments: [
            "https://e.example/cb?scope=a,b&access_token=s3cr3t", "/cb?access_token=ab,s3cr3t;s3cr3t",
            "https://e.example/cb#access_token=s3cr3t&state=1", "/#/cb?access_token=s3cr3t", "//u:s3cr3t@e.example/",
            "</a?token=s3cr3t>; rel=next, </b?token=s3cr3t>; rel=last", "/home;jsessionid=s3cr3t",
        ]
    )
    func secretsInAddresses(address: String) async throws {
        let fields: HTTPHeaders = ["Location": address, "Link": address, "Operation-Location": address]
        stub.on(.get, "/a", .response(HTTPResponse(status: 200, headers: fields, body: Data())))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.get("a"))
        let (_, text) = try replayed(recorder)
        #expect(!text.contains("s3cr3t") && text.contains("redacted"), "\(text)")
    }

    @Test("the rest of a field with an address stays") func fieldsWithAddresses() async throws {
        let fields: HTTPHeaders = [
            "Content-Security-Policy": "default-src 'self'; report-uri /csp?token=s3cr3t; img-src *",
            "ETag": "W/\"a;token=5\"", "Content-Type": "text/plain; charset=utf-8",
        ]
        stub.on(.get, "/a", .response(HTTPResponse(status: 200, headers: fields, body: Data())))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.get("a"))
        #expect(
            recorder.recording().exchanges.first?.headers.map(\.value) == [
                "default-src 'self'; report-uri /csp?token=redacted-1; img-src *", "W/\"a;token=5\"",
                "text/plain; charset=utf-8",
            ]
        )
    }

    @Test(
        "secrets are found in each item of the request's query",
        arguments: [
            "a?next=https%3A%2F%2Fi.example%2F%3Faccess_token%3Ds3cr3t", "a?x=1;access_token=s3cr3t",
            "a?next=list%3Faccess_token%3Ds3cr3t", "a?flag;access_token=s3cr3t;s3cr3t",
        ]
    )
    func secretsInQueries(path: String) async throws {
        let recorder = RecordingTransport(StubTransport { _, _ in HTTPResponse(status: 200, body: Data("1".utf8)) })
        _ = try await client(recorder).fetch(Route<Json>.get("\(path)"))
        let (transport, text) = try replayed(recorder)
        #expect(!text.contains("s3cr3t") && text.contains("redacted"), "\(text)")
        let other = path.replacing("s3cr3t", with: "other")
        #expect(try await client(transport).fetch(Route<Json>.get("\(other)")) == 1)
    }

    @Test func furtherNamesOfFieldsHaveNoCase() async throws {
        stub.on(.get, "/a", .json("1", headers: ["X-User": "s3cr3t"]))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Json>.get("a"))
        #expect(!(try replayed(recorder, redacting: ["x-user"]).1.contains("s3cr3t")))
    }

    @Test func itemsOfOneNameAreAList() async throws {
        stub.on(.get, "/a?sort=name&sort=age&x=1", .json("1"))
        stub.on(.get, "/a?sort=age&sort=name&x=1", .json("2"))
        let recorder = RecordingTransport(stub)
        let one = Route<Json>.get("a?sort=name&sort=age&x=1")
        for route in [one, .get("a?sort=age&sort=name&x=1")] { _ = try await client(recorder).fetch(route) }
        let (transport, _) = try replayed(recorder)
        #expect(try await client(transport).fetch(Route<Json>.get("a?x=1&sort=age&sort=name")) == 2)
        #expect(try await client(transport).fetch(one) == 1)
    }

    @Test func formsOfPartsAreFoundWhateverTheirBoundary() async throws {
        stub.on(.post, "/a", .json("1"))
        let recorder = RecordingTransport(stub)
        func form(_ password: String, _ name: String, boundary: String) -> Route<Json> {
            let text = [("password", password), ("name", name)]
                .map { "--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }
                .joined()
            let body = RouteBody.bytes(
                Data("\(text)--\(boundary)--\r\n".utf8),
                mediaType: "multipart/form-data; boundary=\(boundary)"
            )
            return Route<Json>.post("a", body: body)
        }
        _ = try await client(recorder).fetch(form("s3cr3t", "Ada", boundary: "one"))
        let (transport, text) = try replayed(recorder)
        #expect(!text.contains("s3cr3t"))
        #expect(try await client(transport).fetch(form("other", "Ada", boundary: "two")) == 1)
        await #expect(throws: CallError.self) {
            try await client(transport).fetch(form("other", "Bob", boundary: "two"))
        }
    }

    @Test func ofAStreamIsRecordedWhatWasRead() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", .chunked(["1\n", "2\n", "3\n"]))
        let recorder = RecordingTransport(try BuiltInTransport.allCases[0].transport())
        let live = Client(baseURL: server.url, transport: recorder)
        var found: [Json] = []
        for try await number in live.stream(Route<Json>.get("a"), as: .lines) { found.append(number) }
        let replaying = client(try replayed(recorder).0)
        var again: [Json] = []
        for try await number in replaying.stream(Route<Json>.get("a"), as: .lines) { again.append(number) }
        #expect(found == [1, 2, 3])
        #expect(again == found)
    }

    @Test func equalRunsMakeEqualFiles() async throws {
        func run(_ order: [String]) async throws -> String {
            let recorder = RecordingTransport(stub)
            let client = client(recorder)
            for path in order { _ = try await client.fetch(Route<Json>.get("\(path)")) }
            return try replayed(recorder).1
        }
        for path in ["a", "b", "c"] { stub.on(.get, "/\(path)", .json(#"{"path":"\#(path)"}"#)) }
        #expect(try await run(["a", "b", "c"]) == run(["c", "a", "b"]))
    }

    @Test func bytesAreReplayed() async throws {
        let bytes = Data([0, 255, 128])
        stub.on(.get, "/a", .data(bytes, contentType: "image/png"))
        let recorder = RecordingTransport(stub)
        _ = try await client(recorder).fetch(Route<Data>.get("a"))
        let (transport, _) = try replayed(recorder)
        #expect(try await client(transport).fetch(Route<Data>.get("a")) == bytes)
    }

    @Test func aBrokenFileSaysWhere() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"exchanges":[{"method":"GET","status":200,"headers":[]}]}"#.utf8).write(to: file)
        let error = #expect(throws: MappingError.self) { try Recording(contentsOf: file) }
        #expect(error?.description.contains("$.exchanges[0].target") == true)
    }
}
