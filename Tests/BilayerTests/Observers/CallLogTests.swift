import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("CallLog: calls as text")
struct CallLogTests {
    // Sendable: `kept` is only used under the lock.
    private final class Lines: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: [String] = []
        func add(_ text: String) { lock.withLock { kept.append(text) } }
        var all: [String] { lock.withLock { kept } }
    }

    private func text(
        _ detail: CallLog.Detail,
        asCURL: Bool = false,
        _ transport: StubTransport,
        _ route: Route<Json> = .get("users", query: ["token": "s3cret"])
    ) async -> String {
        let lines = Lines()
        var client = Client(baseURL: URL("https://api.example.com"), transport: transport)
        client.headers = [.authorization: "Bearer s3cret"]
        client.observer = CallLog(detail, asCURL: asCURL) { lines.add($0) }
        _ = try? await client.fetch(route)
        #expect(lines.all.count == 1)
        #expect(!lines.all.joined().contains("s3cret"))
        return lines.all.joined().replacing(/\d\.\d{3} s/, with: "T")
    }

    @Test func theArticleShowsWhatIsWritten() async throws {
        let file = Compiler.repository.appendingPathComponent("Sources/Bilayer/Bilayer.docc/ObservingCalls.md")
        let article = try String(contentsOf: file, encoding: .utf8).replacing(/\d\.\d{3} s/, with: "T")
        let stub = StubTransport()
        stub.on(.get, "/users", .status(503), .json("[]" + String(repeating: " ", count: 18_398)))
        let transport = stub.wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
        let client = Client(baseURL: URL("https://api.example.com"), transport: transport)
        let answer = try await client.send(Route<Json>.get("users"))
        let note = answer.events.map(\.description).first { $0.contains("attempt") }
        let shown = try #require(note).replacing(/\d\.\d{3} s/, with: "T")
        #expect(article.contains("// \(shown)\n"), "\(shown)")
        let line = await text(.summary, stub, Route<Json>.get("users"))
        #expect(article.contains("// \(line)\n"), "\(line)")
    }

    @Test func aGoodCallIsOneLine() async {
        #expect(
            await text(.summary, StubTransport(.json("[]")))
                == "GET https://api.example.com/users?token=… -> 200 OK, 2 B, application/json: T, 1 attempt, 2 B received"
        )
    }

    @Test func aFailedCallHasItsReasonsAndEvents() async {
        let text = await text(.summary, StubTransport(.json("{}", status: 500)))
        let address = "GET https://api.example.com/users?token=…"
        let line = "\(address) -> 500 Internal Server Error, 2 B, application/json: T, 1 attempt, 2 B received"
        #expect(text.hasPrefix(line + "\n  status 500 Internal Server Error\n"), "\(text)")
        #expect(text.split(separator: "\n").count { $0.contains(" -> 500") } == 1)
        #expect(text.contains("\n  T sent GET https://api.example.com/users?token=…\n  T received 500"))
    }

    @Test func aCallWithoutAResponseNamesTheStage() async {
        let text = await text(.summary, StubTransport(.failure(TransportError(.timedOut))))
        let line = "GET https://api.example.com/users?token=…: transport failed: T, 1 attempt"
        #expect(text.hasPrefix(line + "\n  timed out"), "\(text)")
    }

    @Test("a failed call with a good status does not read as a success")
    func unwrapped() async throws {
        var client = Client(
            baseURL: URL("https://api.example.com"),
            transport: StubTransport(.json(#"{"error":{"code":1}}"#))
        )
        client.raw.append { _, _ in throw StatusError(409) }
        let lines = Lines()
        client.observer = CallLog { lines.add($0) }
        _ = try? await client.fetch(Route<Json>.get("users"))
        let line = lines.all.joined().prefix { $0 != "\n" }
        #expect(line.contains("-> 200 OK") && line.contains("raw mapping failed"), "\(line)")
    }

    @Test func aTimelineHasAllEventsAndCURLTheCommand() async {
        let text = await text(.timeline, asCURL: true, StubTransport(.json("[]")))
        #expect(text.contains("\n  T began\n  T request encoding ended\n"))
        let command =
            "  curl 'https://api.example.com/users?token=…' -H 'Authorization: <redacted>' -H 'Accept: application/json'"
        #expect(text.contains("\n\(command)\n"), "\(text)")
    }

    @Test(
        "a request is a command that a shell reads as one",
        arguments: [
            (HTTPMethod.get, nil, "curl 'https://example.com/it%27s?a=…' -H 'X-Note: it'\\''s'"),
            (.head, nil, "curl --head 'https://example.com/it%27s?a=…' -H 'X-Note: it'\\''s'"),
            (
                .post, "12345",
                "curl -X POST 'https://example.com/it%27s?a=…' -H 'X-Note: it'\\''s' --data-binary '<5 B>'"
            ),
        ]
    )
    func commands(method: HTTPMethod, body: String?, command: String) {
        let url = URL("https://u:p@example.com/it%27s?a=1#f")
        let request = HTTPRequest(
            method: method,
            url: url,
            headers: ["X-Note": "it's"],
            body: body.map { Data($0.utf8) }
        )
        #expect(request.curlCommand == command)
    }

    /// curl(1): `-H 'X-Note:'` removes a field, and `-H 'X-Note;'` sends an empty one.
    @Test func anEmptyFieldIsOneOfTheCommand() {
        let url = URL("https://example.com/x")
        let request = HTTPRequest(url: url, headers: ["X-Note": "", "User-Agent": " ", "X-Last": "1"])
        let command = "curl 'https://example.com/x' -H 'X-Note;' -H 'User-Agent;' -H 'X-Last: 1'"
        #expect(request.curlCommand == command)
    }
}
