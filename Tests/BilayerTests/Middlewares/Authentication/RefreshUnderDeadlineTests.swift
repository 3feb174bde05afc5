import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("A deadline covers the refresh of a token", .timeLimit(.minutes(5)))
struct RefreshUnderDeadlineTests {
    /// Where the deadline of a call can be set.
    enum Place: CaseIterable { case middleware, option }

    /// The first call ends with its deadline. The refresh goes on without it, because other calls need its token.
    @Test(arguments: Place.allCases)
    func theCallEndsInTimeAndItsRefreshServesTheNextOne(place: Place) async throws {
        let (clock, refreshes, gate) = (TestClock(), TaskGate(), TaskGate())
        let tokens = BearerTokens("old") {
            _ = await refreshes.arrive()
            await gate.wait()
            return "new"
        }
        let stub = StubTransport { request, _ in
            let isNew = request.headers[.authorization] == "Bearer new"
            return HTTPResponse(status: isNew ? 200 : 401, body: Data("[1]".utf8))
        }
        let authenticated = stub.wrapped(by: .authentication(tokens))
        let base = URL("https://api.example.com")
        var made: Client
        switch place {
        case .middleware:
            made = Client(baseURL: base, transport: authenticated.wrapped(by: .deadline(.seconds(20))), clock: clock)
        case .option:
            made = Client(baseURL: base, transport: authenticated, clock: clock)
            made.options[Deadline.self] = Deadline(.seconds(20))
        }
        let client = made
        let route = Route<Json>.get("users")

        let first = Task { try await client.fetch(route) }
        while tokens.waiting < 1 { await Task.yield() }
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        let error = try #require(await #expect(throws: CallError.self) { try await first.value })
        #expect(error.stage == .transport)
        let reason = try #require(error.underlyingError as? TransportError)
        #expect(reason.kind == .timedOut)
        #expect(reason.detail == "deadline of the call: expected a response within 20.000 s, found none")
        #expect(clock.sleepers == 0)
        #expect(tokens.waiting == 0)
        #expect(tokens.running == 1)

        let next = Task { try await client.fetch(route) }
        while tokens.waiting < 1 { await Task.yield() }
        await gate.open()
        #expect(try await next.value == [1])
        #expect(await refreshes.arrivals == 1)
        #expect(
            stub.requests.map { $0.headers[.authorization] } == ["Bearer old", "Bearer old", "Bearer new"]
        )
        #expect(clock.sleepers == 0)
    }
}
