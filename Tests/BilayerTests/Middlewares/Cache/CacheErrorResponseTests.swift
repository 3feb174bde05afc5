import Bilayer
import BilayerTesting
import Foundation
import Testing

private let passing: [HTTPStatus] = [401, 407, 408, 421, 425, 429, 500, 501, 503, 504]

@Suite("HTTP cache: error responses", .timeLimit(.minutes(5)))
struct CacheErrorResponseTests {
    private let bench = CacheBench()

    /// Stores a response that is stale by now.
    private func store() async throws {
        bench.reply(.get, 200, ["Cache-Control": "max-age=60, stale-if-error=3600"], "good")
        _ = try await bench.ask()
        bench.clock.advance(by: 61)
    }

    private func text(_ policy: CachePolicy?) async throws -> String {
        String(decoding: try await bench.ask(policy: policy).body, as: UTF8.self)
    }

    @Test(arguments: passing, ["private", "max-age=0", "public, max-age=60"])
    func anErrorOfAMomentIsNotStored(status: HTTPStatus, directives: String) async throws {
        bench.reply(.get, status, ["Cache-Control": directives], "error")
        #expect(try await text(.cacheElseNetwork) == "error")
        await #expect(throws: CacheMissError.self) { try await bench.ask(policy: .cacheOnly) }
        bench.reply(.get, 200, [:], "good")
        #expect(try await text(.cacheElseNetwork) == "good")
    }

    @Test(arguments: passing + [403], ["private", "max-age=0"])
    func anErrorReplacesNothing(status: HTTPStatus, directives: String) async throws {
        try await store()
        bench.reply(.get, status, ["Cache-Control": directives], "error")
        _ = try await bench.ask(policy: .revalidate)
        bench.reply(.get, nil, [:], "")
        for policy in [nil, .cacheOnly, .cacheElseNetwork, .networkElseCache] as [CachePolicy?] {
            #expect(try await text(policy) == "good")
        }
    }

    @Test(arguments: [403, 404, 410] as [HTTPStatus])
    func anErrorWithALifetimeIsUsedWhileItIsFresh(status: HTTPStatus) async throws {
        let windows = "max-age=60, stale-while-revalidate=600, stale-if-error=600"
        bench.reply(.get, status, ["Cache-Control": windows, .eTag: "\"1\""], "error")
        _ = try await bench.ask()
        #expect(try await bench.ask().cacheStatus == .hit)
        #expect(try await bench.ask(policy: .cacheOnly).cacheStatus == .hit)
        bench.clock.advance(by: 61)
        await #expect(throws: CacheMissError.self) { try await bench.ask(policy: .cacheOnly) }
        bench.reply(.get, nil, [:], "")
        for policy in [nil, .cacheElseNetwork, .networkElseCache] as [CachePolicy?] {
            await #expect(throws: TransportError.self) { try await bench.ask(policy: policy) }
        }
        await #expect(throws: TransportError.self) { try await bench.ask(.get, ["Cache-Control": "max-stale"]) }
        // The server can still confirm the stored response.
        bench.reply(.get, 304, [.eTag: "\"1\""], "")
        #expect(try await bench.ask().cacheStatus == .revalidated)
    }

    @Test(arguments: [404, 410] as [HTTPStatus], ["no-store", "private", "max-age=0"])
    func aResourceThatIsGoneIsRemoved(status: HTTPStatus, directives: String) async throws {
        try await store()
        bench.reply(.get, status, ["Cache-Control": directives], "gone")
        _ = try await bench.ask()
        await #expect(throws: CacheMissError.self) { try await bench.ask(policy: .cacheOnly) }
    }

    /// The second attempt sends a request: the response to the first one is not stored.
    @Test(arguments: [401, 503] as [HTTPStatus])
    func middlewaresAroundTheCacheGetPastAnError(status: HTTPStatus) async throws {
        bench.stub.on(.get, "/users", .status(status, headers: ["Cache-Control": "private"]), .text("good"))
        let tokens = BearerTokens("old", refreshingBy: { "new" })
        let transport = bench.stub.wrapped(by: .cache(bench.cache)).wrapped(by: .authentication(tokens))
            .wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero)))
        var options = CallOptions()
        options[CachePolicy.self] = .cacheElseNetwork
        let response = try await transport.process(HTTPRequest(url: bench.url), in: CallContext(options: options))
        #expect(response.body == Data("good".utf8))
    }
}
