import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("A stored response after the deadline: its look-up ends", .timeLimit(.minutes(5)))
struct CacheAfterDeadlineTests {
    private static let route = Route<Json>.get("users")

    private let bench = CacheBench()
    private let clock = TestClock()
    private let gate = TaskGate()

    /// A client with a response in its cache, and a deadline as a middleware or as an option.
    private func client(
        _ transport: some Node<HTTPRequest, HTTPResponse>,
        isOption: Bool
    ) async throws -> Client {
        bench.reply(.get, 200, ["Cache-Control": "max-age=60"], "1")
        _ = try await bench.ask()
        let base = URL("https://api.example.com")
        guard isOption else {
            return Client(baseURL: base, transport: transport.wrapped(by: .deadline(.seconds(20))), clock: clock)
        }
        var client = Client(baseURL: base, transport: transport, clock: clock)
        client.options[Deadline.self] = Deadline(.seconds(20))
        return client
    }

    /// A call with a waiting node around the cache. It has reached its deadline, and waits in its look-up of the cache.
    private func callInLookUp(isOption: Bool) async throws -> Task<Json, any Error> {
        let waiting = HeaderProvider { [gate] _ in
            _ = await gate.arrive()
            try await Task.sleep(for: .seconds(3_600))
            return [:]
        }
        let transport = bench.stub.wrapped(by: .cache(bench.cache)).wrapped(by: waiting)
        let client = try await client(transport, isOption: isOption)
        let call = Task { try await client.fetch(Self.route, cache: .networkElseCache) }
        await gate.waitForArrivals(1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        await gate.waitForArrivals(2)
        return call
    }

    @Test(arguments: [true, false]) func aNodeThatWaitsEndsItAfterASecond(isOption: Bool) async throws {
        let call = try await callInLookUp(isOption: isOption)
        #expect(try await clock.advanceToNextSleeper() == .seconds(1))
        let error = try #require(await #expect(throws: CallError.self) { try await call.value })
        #expect((error.underlyingError as? TransportError)?.kind == .timedOut)
        #expect(clock.sleepers == 0)
    }

    @Test(arguments: [true, false]) func aCancelEndsItAtOnce(isOption: Bool) async throws {
        let call = try await callInLookUp(isOption: isOption)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(clock.sleepers == 0)
    }

    /// A closure of the app turns the cancel into an error of its own. The look-up in the cache runs the closure again,
    /// and then it does not wait.
    @Test(arguments: [true, false]) func anErrorThatFollowsFromTheCancelPreventsNone(isOption: Bool) async throws {
        struct OwnError: Error {}
        let waiting = HeaderProvider { [gate] _ in
            guard await gate.arrive() == 1 else { return [:] }
            do { try await Task.sleep(for: .seconds(3_600)) } catch { throw OwnError() }
            return [:]
        }
        let transport = bench.stub.wrapped(by: .cache(bench.cache)).wrapped(by: waiting)
        let client = try await client(transport, isOption: isOption)
        let call = Task { try await client.fetch(Self.route, cache: .networkElseCache) }
        await gate.waitForArrivals(1)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        #expect(try await call.value == 1)
        #expect(bench.stub.requests.count == 1)
    }

    /// The deadline cancels the task of the mapping. The caller's cancel comes in addition.
    @Test func aCallThatIsCancelledInTheMappingEnds() async throws {
        var client = try await client(bench.stub.wrapped(by: .cache(bench.cache)), isOption: true)
        client.raw.append { [gate] json, _ in
            _ = await gate.arrive()
            await gate.wait()
            return json
        }
        bench.stub.on(.get, "/users", .hold)
        let asked = client
        let call = Task { try await asked.fetch(Self.route, cache: .networkElseCache) }
        try await bench.stub.waitForRequests(count: 2)
        #expect(try await clock.advanceToNextSleeper() == .seconds(20))
        await gate.waitForArrivals(1)
        call.cancel()
        await gate.open()
        await #expect(throws: CancellationError.self) { try await call.value }
    }
}
