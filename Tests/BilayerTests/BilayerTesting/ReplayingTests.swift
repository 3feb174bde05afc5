import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

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
        // What a replayed response says is sent as it is.
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
