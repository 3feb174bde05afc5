import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("HTTP cache", .timeLimit(.minutes(5)))
struct HTTPCacheTests {
    private static let minute: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]

    @Test func aResponseThatComesLateReplacesNoMoreRecentOne() async throws {
        let (first, goOn) = AsyncStream<Void>.makeStream()
        let (begins, begun) = AsyncStream<Void>.makeStream()
        let bench = CacheBench()
        let dates = [-10, 0].map { HTTPDate.text(of: bench.clock.now.addingTimeInterval($0)) }
        let slow = StubTransport { _, _ in
            begun.yield()
            for await _ in first { break }
            return HTTPResponse(
                status: 200,
                headers: ["Cache-Control": "max-age=60", .date: dates[0]],
                body: Data("old".utf8)
            )
        }
        let call = Task {
            try await slow.wrapped(by: .cache(bench.cache)).process(HTTPRequest(url: bench.url), in: CallContext())
        }
        for await _ in begins { break }
        bench.reply(.get, 200, ["Cache-Control": "max-age=60", .date: dates[1]], "new")
        _ = try await bench.ask()
        goOn.yield()
        #expect(String(decoding: try await call.value.body, as: UTF8.self) == "old")
        let third = try await bench.ask()
        #expect(third.cacheStatus == .hit)
        #expect(String(decoding: third.body, as: UTF8.self) == "new")
    }

    @Test func aRedirectIsNoAnswerForCallsThatFollowIt() async throws {
        let bench = CacheBench()
        bench.reply(.get, 302, [.location: "/b", "Cache-Control": "max-age=60"], "")
        #expect(try await bench.ask().status == 302)
        bench.reply(.get, 200, [:], "b")
        #expect(try await bench.ask().status == 200)
    }

    @Test(arguments: ["max-age=100, no-store;", "max-age=100, no-store ;x", "max-age=100, no-store\t"])
    func aDirectiveWithASlipOfTheHandCounts(directives: String) async throws {
        let bench = CacheBench()
        for text in ["old", "new"] {
            bench.reply(.get, 200, ["Cache-Control": directives], text)
            #expect(String(decoding: try await bench.ask().body, as: UTF8.self) == text)
        }
    }

    @Test func anAddressHasAtMostEightVariantsAndTheOldestAreRemoved() async throws {
        let bench = CacheBench()
        for number in 0..<12 {
            bench.reply(.get, 200, ["Vary": "X-Part", "Cache-Control": "max-age=60"], "\(number)")
            _ = try await bench.ask(.get, ["X-Part": "\(number)"])
        }
        for number in 0..<12 {
            let found = try? await bench.ask(.get, ["X-Part": "\(number)"], policy: .cacheOnly)
            #expect((found != nil) == (number >= 4))
        }
    }

    @Test func aCancelledCallLeavesNothingBehind() async throws {
        let bench = CacheBench()
        let clock = TestClock()
        bench.stub.on(
            .get,
            "/users",
            StubTransport.Answer { _, _ in
                try await clock.sleep(for: .seconds(1))
                return HTTPResponse(status: 200, headers: Self.minute)
            }
        )
        for _ in 0..<50 {
            let task = Task { try await bench.ask(policy: .networkElseCache) }
            try await clock.waitForSleepers(count: 1)
            #expect(bench.exchanges == 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(bench.exchanges == 0)
            #expect(clock.sleepers == 0)
        }
        await #expect(throws: CacheMissError.self) { try await bench.ask(policy: .cacheOnly) }
    }

    /// The transport of a cancelled call may report that the connection was lost.
    @Test func aCancelledCallDoesNotEndWithTheStoredResponse() async throws {
        let bench = CacheBench()
        let clock = TestClock()
        bench.reply(.get, 200, ["Cache-Control": "max-age=0, stale-if-error=600"], "old")
        _ = try await bench.ask()
        bench.stub.on(
            .get,
            "/users",
            StubTransport.Answer { _, _ in
                try? await clock.sleep(for: .seconds(1))
                throw TransportError(.connectionLost)
            }
        )
        let task = Task { try await bench.ask(policy: .networkElseCache) }
        try await clock.waitForSleepers(count: 1)
        task.cancel()
        await #expect(throws: TransportError.self) { try await task.value }
    }

    @Test func aRedirectedResponseIsNotStoredUnderTheFirstAddress() async throws {
        let bench = CacheBench()
        bench.stub.on(
            .get,
            "/users",
            StubTransport.Answer { _, _ in
                HTTPResponse(status: 200, headers: Self.minute, url: URL("https://api.example.com/elsewhere"))
            }
        )
        _ = try await bench.ask()
        #expect(try await bench.ask().cacheStatus == .miss)
    }

    @Test func requestsWithRefusedFieldsAreNoReasonForAStoredResponse() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        bench.clock.advance(by: 61)
        await #expect(throws: TransportError.self) {
            try await bench.ask(.get, ["X-Broken": "a\nb"], policy: .networkElseCache)
        }
    }

    @Test(arguments: [
        ("HTTPS://API.example.com:443/users", true), ("https://api.example.com/users#part", true),
        ("https://api.example.com/users?", false), ("https://api.example.com/users/", false),
        ("http://api.example.com/users", false), ("https://api.example.com:8443/users", false),
        ("https://eva@api.example.com/users", false),
    ])
    func addressesAreComparedAsTheyAreSent(address: String, isSame: Bool) throws {
        let url = try #require(URL(string: address))
        #expect((HTTPCacheKey(url) == HTTPCacheKey(URL("https://api.example.com/users"))) == isSame)
    }
}
