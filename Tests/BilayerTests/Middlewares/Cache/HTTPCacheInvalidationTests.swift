import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("HTTP cache: invalidation", .timeLimit(.minutes(5)))
struct HTTPCacheInvalidationTests {
    private static let minute: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]

    @Test func aChangeWhoseAnswerIsCutInvalidates() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        let stub = StubTransport { _, _ in throw TransportError(.brokenBody, response: HTTPResponse(status: 200)) }
        let post = HTTPRequest(method: .post, url: bench.url)
        await #expect(throws: TransportError.self) {
            try await stub.wrapped(by: .cache(bench.cache)).process(post, in: CallContext())
        }
        bench.reply(.get, 200, Self.minute, "new")
        #expect(String(decoding: try await bench.ask().body, as: UTF8.self) == "new")
    }

    @Test func aChangeAfterARedirectInvalidatesTheLastAddress() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        let stub = StubTransport { request, _ in HTTPResponse(status: 200, url: URL("https://api.example.com/users")) }
        let post = HTTPRequest(method: .post, url: URL("https://api.example.com/a"))
        _ = try await stub.wrapped(by: .cache(bench.cache)).process(post, in: CallContext())
        bench.reply(.get, 200, Self.minute, "new")
        #expect(String(decoding: try await bench.ask().body, as: UTF8.self) == "new")
    }

    @Test func addressesThatAnUnsafeResponseNamesAreInvalidatedOnTheSameOrigin() async throws {
        for (location, isInvalidated) in [
            ("/users", true), ("https://api.example.com:443/users#top", true),
            ("https://other.example.com/users", false),
            ("http://api.example.com/users", false),
        ] {
            for name in [.location, .contentLocation] as [HTTPHeaders.Name] {
                let bench = CacheBench()
                bench.reply(.get, 200, Self.minute, "body")
                _ = try await bench.ask()
                bench.stub.on(.post, "/import", .text("", status: 201, headers: [name: location]))
                let request = HTTPRequest(method: .post, url: URL("https://api.example.com/import"))
                _ = try await bench.stub.wrapped(by: .cache(bench.cache)).process(request)
                #expect(try await bench.ask().cacheStatus == (isInvalidated ? .miss : .hit), "\(name): \(location)")
            }
        }
    }

    @Test func aResponseFromBeforeAnInvalidationIsNotStoredAfterIt() async throws {
        let bench = CacheBench()
        let gate = AsyncStream<Void>.makeStream()
        bench.stub.on(
            .get,
            "/users",
            StubTransport.Answer { _, _ in
                for await _ in gate.stream { break }
                return HTTPResponse(status: 200, headers: Self.minute, body: Data("old".utf8))
            }
        )
        bench.reply(.post, 200, [:], "")
        async let slow = bench.ask()
        try await bench.stub.waitForRequests(count: 1)
        _ = try await bench.ask(.post)
        gate.continuation.yield()
        #expect(try await slow.cacheStatus == .miss)
        bench.reply(.get, 200, Self.minute, "new")
        #expect(try await bench.ask().cacheStatus == .miss)
        #expect(try await bench.ask().cacheStatus == .hit)
    }

    @Test func removingAllConcernsResponsesOnTheirWay() async throws {
        let bench = CacheBench()
        let cache = bench.cache
        bench.stub.on(
            .get,
            "/users",
            StubTransport.Answer { _, _ in
                await cache.removeAll()
                return HTTPResponse(status: 200, headers: Self.minute)
            }
        )
        _ = try await bench.ask()
        #expect(try await bench.ask().cacheStatus == .miss)
        #expect(bench.store.byteCount == 0)
    }
}
