import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("HTTP cache: validations in the background", .timeLimit(.minutes(5)))
struct HTTPCacheBackgroundTests {
    private static let minute: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]

    @Test func aRefreshInTheBackgroundSendsNoTokenToAnotherOrigin() async throws {
        let stub = StubTransport(
            .json("1", headers: ["Cache-Control": "max-age=0, stale-while-revalidate=100", "ETag": "\"1\""])
        )
        let cache = HTTPCache(.memory(maximumBytes: 1 << 20))
        let tokens = BearerTokens("SECRET") { "SECRET" }
        let transport = stub.wrapped(by: .authentication(tokens)).wrapped(by: .cache(cache))
        var client = Client(baseURL: URL("https://api.example.com"), transport: transport)
        client.request.append { request, _ in
            var request = request
            request.url = URL("https://elsewhere.example/x")
            return request
        }
        for _ in 0..<2 {
            _ = try await client.fetch(Route<Json>.get("x"))
            await cache.settle()
        }
        #expect(stub.requests.count == 2)
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == nil })
    }

    @Test func staleWhileRevalidateAsksOnceInTheBackground() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, ["Cache-Control": "max-age=60, stale-while-revalidate=60", .eTag: "\"1\""], "old")
        _ = try await bench.ask()
        bench.clock.advance(by: 70)
        bench.reply(.get, 200, Self.minute, "new")
        for _ in 0..<20 {
            let response = try await bench.ask()
            #expect([.stale, .hit].contains(response.cacheStatus))
        }
        await bench.cache.settle()
        #expect(bench.stub.requests.count == 2)
        let fresh = try await bench.ask()
        #expect(fresh.cacheStatus == .hit)
        #expect(String(decoding: fresh.body, as: UTF8.self) == "new")
    }

    @Test(arguments: [true, false])
    func backgroundValidationsEndWhenCancelledOrWithTheCache(byHand: Bool) async throws {
        var cache: HTTPCache? = HTTPCache(.memory(maximumBytes: 1 << 20), now: { CacheRow.start })
        let stub = StubTransport()
        let (ended, end) = AsyncStream<Bool>.makeStream()
        stub.on(
            .get,
            "/users",
            .text("old", headers: ["Cache-Control": "max-age=0, stale-while-revalidate=60"]),
            StubTransport.Answer { _, context in
                defer { end.yield(Task.isCancelled) }
                try await context.clock.sleep(for: .seconds(3600))
                return HTTPResponse(status: 200)
            }
        )
        let request = HTTPRequest(url: URL("https://api.example.com/users"))
        for _ in 0..<2 {
            _ = try await stub.wrapped(by: .cache(#require(cache)))
                .process(request, in: CallContext(clock: TestClock()))
        }
        try await stub.waitForRequests(count: 2)
        if byHand {
            cache?.cancelRefreshes()
            await cache?.settle()
        } else {
            cache = nil
        }
        for await isCancelled in ended {
            #expect(isCancelled)
            break
        }
    }

    @Test(arguments: [(Duration.seconds(5), 5), (nil, 300)] as [(Duration?, Int)])
    func aBackgroundValidationThatHangsEndsAndTheNextOneBegins(deadline: Duration?, seconds: Int) async throws {
        let cache = HTTPCache(.memory(maximumBytes: 1 << 20), now: { CacheRow.start })
        let stub = StubTransport()
        stub.on(
            .get,
            "/users",
            .text("old", headers: ["Cache-Control": "max-age=0, stale-while-revalidate=60"]),
            .hold,
            .text("new", headers: ["Cache-Control": "max-age=60"])
        )
        let clock = TestClock()
        var options = CallOptions()
        options[Deadline.self] = deadline.map { Deadline($0) }
        func users() async throws -> String {
            let request = HTTPRequest(url: URL("https://api.example.com/users"))
            let context = CallContext(clock: clock, options: options)
            let response = try await stub.wrapped(by: .cache(cache)).process(request, in: context)
            return String(decoding: response.body, as: UTF8.self)
        }
        #expect(try await [users(), users()] == ["old", "old"])
        try await stub.waitForRequests(count: 2)
        try await clock.waitForSleepers(count: 1)
        clock.advance(by: .seconds(seconds))
        await cache.settle()
        #expect(try await users() == "old")
        await cache.settle()
        #expect(try await users() == "new")
        #expect(stub.requests.count == 3)
    }

    @Test func aBackgroundValidationDoesNotChangeTheCallThatStartedIt() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, ["Cache-Control": "max-age=0, stale-while-revalidate=60", .eTag: "\"1\""], "old")
        _ = try await bench.ask()
        let context = CallContext()
        let request = HTTPRequest(url: bench.url)
        _ = try await bench.stub.wrapped(by: .cache(bench.cache)).process(request, in: context)
        await bench.cache.settle()
        #expect(bench.stub.requests.count == 2)
        #expect(context.sentRequest == nil)
        #expect(context.events.map(\.text) == ["cache: stale; ttl=0; stale-while-revalidate"])
    }
}
