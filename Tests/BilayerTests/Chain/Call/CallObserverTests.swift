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
