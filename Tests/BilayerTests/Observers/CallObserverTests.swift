import Bilayer
import BilayerTesting
import Foundation
import Testing

extension Watcher {
    /// The events without their times.
    fileprivate var texts: [String] {
        events.map { event in
            switch event.kind {
            case .ended(let metrics, let failure):
                "ended: \(metrics.attempts) attempts, \(metrics.receivedBytes) B" + (failure == nil ? "" : ", failed")
            default: event.text
            }
        }
    }
}

private struct TwiceOnce: Middleware {
    func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        do {
            return try await next.process(request, in: context)
        } catch is TransportError {
            context.note("again")
            return try await next.process(request, in: context)
        }
    }
}

@Suite("CallObserver: what happens in a call")
struct CallObserverTests {
    private let watcher = Watcher()

    private func client(_ transport: some Node<HTTPRequest, HTTPResponse>) -> Client {
        var client = Client(baseURL: URL("https://api.example.com"), transport: transport)
        client.observer = watcher
        return client
    }

    @Test func aGoodCallTellsItsStagesAndItsExchange() async throws {
        _ = try await client(StubTransport(.json("[7]"))).fetch(Route<Json>.get("users"))
        #expect(
            watcher.texts == [
                "began", "request encoding ended", "sent GET https://api.example.com/users",
                "received 200 OK, 3 B, application/json", "transport ended", "raw mapping ended",
                "DTO conversion ended", "ended: 1 attempts, 3 B",
            ]
        )
        let times = watcher.events.map(\.time)
        #expect(times == times.sorted())
    }

    @Test func eachAttemptIsToldOnceHoweverManyMiddlewaresAreAroundIt() async throws {
        let stub = StubTransport()
        stub.on(.get, "/users", .failure(TransportError(.connectionLost)), .json("[]"))
        let transport = stub.wrapped(by: TwiceOnce()).wrapped(by: TwiceOnce())
        _ = try await client(transport).fetch(Route<Json>.get("users"))
        #expect(
            watcher.texts.dropFirst(2).prefix(5) == [
                "sent GET https://api.example.com/users", "lost: connection lost", "again",
                "sent GET https://api.example.com/users", "received 200 OK, 2 B, application/json",
            ]
        )
        #expect(watcher.texts.last == "ended: 2 attempts, 2 B")
    }

    @Test func theLastEventOfAFailedCallHasItsError() async throws {
        await #expect(throws: CallError.self) {
            try await client(StubTransport(.json("[1"))).fetch(Route<Json>.get("users"))
        }
        guard case .ended(_, let failure)? = watcher.events.last?.kind else {
            Issue.record("expected the end of the call")
            return
        }
        #expect((failure as? CallError)?.stage == .rawMapping)
        #expect(watcher.texts.contains("raw mapping failed"))
        #expect(watcher.events.filter { $0.text.hasPrefix("failed") }.count == 1)
    }

    @Test func severalObserversReceiveEachEventInTheirOrder() async throws {
        let other = Watcher()
        var client = client(StubTransport(.json("[]")))
        client.observer = CallObservers([watcher, CallObservers([watcher, other])])
        _ = try await client.fetch(Route<Json>.get("users"))
        #expect(other.texts.first == "began" && other.texts.last == "ended: 1 attempts, 2 B")
        #expect(watcher.texts == other.texts.flatMap { [$0, $0] })
        #expect("\(client.observer.map { "\($0)" } ?? "")" == "CallObservers(2)")
    }

    @Test func aCallThatFailsBeforeItsTransportEndsToo() async throws {
        await #expect(throws: CallError.self) {
            try await client(StubTransport(.json("[]"))).fetch(Route<Json>.get("users/{id}", ["id": ""]))
        }
        #expect(watcher.texts == ["began", "request encoding failed", "ended: 0 attempts, 0 B, failed"])
    }

    @Test func withoutAnObserverACallKeepsItsNotesAlone() async throws {
        var client = client(StubTransport(.json("[]")))
        client.observer = nil
        client.raw.append { json, context in
            context.note("seen")
            return json
        }
        #expect(try await client.send(Route<Json>.get("users")).events.map(\.text) == ["seen"])
    }

    @Test func aCallInsideOfACallIsObservedByItself() async throws {
        let stub = StubTransport(.json("[]"))
        let plain = Client(baseURL: URL("https://auth.example.com"), transport: stub)
        var outer = client(stub)
        outer.request.append { request, _ in
            _ = try await plain.fetch(Route<Json>.get("token"))
            return request
        }
        _ = try await outer.fetch(Route<Json>.get("users"))
        #expect(watcher.texts.filter { $0.contains("auth.example.com") }.isEmpty)
        #expect(watcher.texts.filter { $0 == "began" }.count == 1)
    }
}

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

    @Test func aFailedCallHasItsEvents() async {
        let text = await text(.summary, StubTransport(.json("{}", status: 500)))
        #expect(text.hasPrefix("GET https://api.example.com/users?token=… failed: "))
        #expect(text.contains("\n  T sent GET https://api.example.com/users?token=…\n  T received 500"))
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
}
