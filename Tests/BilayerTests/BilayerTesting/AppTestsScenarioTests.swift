import Bilayer
import BilayerTesting
import Foundation
import Testing

/// BilayerTesting as an app's own tests use it.
@Suite(.timeLimit(.minutes(5))) struct AppTestsScenarioTests {
    @Test func oneRouteMeetsGoodAndBadAnswers() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json("[]"), .delayed(.milliseconds(20), then: .json("[1]")), .resetInBody(after: 10))
        let client = Client(baseURL: server.url, clock: TestClock())
        let users = Route<[Json]>.get("users")

        #expect(try await client.fetch(users) == [])
        #expect(try await client.fetch(users) == [1])
        let error = await #expect(throws: CallError.self) { try await client.fetch(users) }
        #expect(error?.stage == .transport)
        #expect(server.requests.count == 3)
        #expect(server.requests.allSatisfy { $0.headers[.accept] == "application/json" })
    }

    @Test func aCancelledCallLetsItsConnectionGo() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .hold)
        let client = Client(baseURL: server.url)
        let call = Task { try await client.fetch(Route<Json>.get("users")) }
        try await server.waitForRequests(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func aStubStandsInForOneRouteOrForAll() async throws {
        let stub = StubTransport()
        stub.on(.get, "/v1/users", .json("[1,2]"), .failure(TransportError(.timedOut)))
        let recording = RecordingTransport(stub)
        let client = Client(baseURL: try #require(URL(string: "https://api.example.com/v1")), transport: recording)
        let users = Route<[Json]>.get("users")

        #expect(try await client.fetch(users) == [1, 2])
        let error = await #expect(throws: CallError.self) { try await client.fetch(users) }
        #expect((error?.underlyingError as? TransportError)?.kind == .timedOut)
        #expect(recording.exchanges.count == 2)

        // The stub drops the body of a response to `HEAD`.
        stub.on(.head, "/v1/users", .json("[1,2]"))
        #expect(try await client.fetch(Route<Json>.head("users")) == Json.null)

        let offline = client.pipeline(for: users).replacing(transport: StubTransport(.json("[3]")))
        #expect(try await offline.process() == [3])
        #expect(recording.exchanges.count == 3)
    }

    @Test func aTestClockMakesPatienceFast() async throws {
        let clock = TestClock()
        let stub = StubTransport(.delayed(.seconds(3600), then: .json("true")))
        let client = Client(baseURL: try #require(URL(string: "https://h")), transport: stub, clock: clock)
        let call = Task { try await client.fetch(Route<Json>.get("")) }
        #expect(try await clock.advanceToNextSleeper() == .seconds(3600))
        #expect(try await call.value == true)
    }
}
