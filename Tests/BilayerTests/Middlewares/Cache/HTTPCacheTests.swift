import Bilayer
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("HTTP cache", .timeLimit(.minutes(5)))
struct HTTPCacheTests {
    private static let minute: HTTPHeaders = ["Cache-Control": "max-age=60", .eTag: "\"1\""]

    @Test func allStoredTagsAreOfferedAndA304ChoosesAVariant() async throws {
        let bench = CacheBench()
        for language in ["de", "en"] {
            bench.reply(
                .get,
                200,
                ["Vary": "Accept-Language", .eTag: "\"\(language)\"", "Cache-Control": "max-age=60"],
                language
            )
            _ = try await bench.ask(.get, [.acceptLanguage: language])
        }
        bench.reply(.get, 304, [.eTag: "\"de\""], "")
        let response = try await bench.ask(.get, [.acceptLanguage: "de-AT"])
        #expect(String(decoding: response.body, as: UTF8.self) == "de")
        let tags = bench.stub.requests.last?.headers[.ifNoneMatch]?.split(separator: ", ").sorted()
        #expect(tags == ["\"de\"", "\"en\""])
        // The next one with that language is a hit, and the others are still there.
        for (language, body) in [("de-AT", "de"), ("de", "de"), ("en", "en")] {
            let hit = try await bench.ask(.get, [.acceptLanguage: language])
            #expect(hit.cacheStatus == .hit)
            #expect(String(decoding: hit.body, as: UTF8.self) == body)
        }
    }

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

    /// The transport follows redirects, and says by the response's address where it came from.
    @Test func a304OfAnotherAddressConfirmsNothing() async throws {
        let stub = StubTransport { request, _ in
            var response = HTTPResponse(status: 304)
            if request.headers[.ifNoneMatch] == nil { response = HTTPResponse(status: 200, body: Data("new".utf8)) }
            response.url = URL("https://api.example.com/moved")
            return response
        }
        let bench = CacheBench()
        bench.reply(.get, 200, ["Cache-Control": "max-age=1", .eTag: "\"1\""], "old")
        _ = try await bench.ask()
        bench.clock.advance(by: 2)
        let transport = stub.wrapped(by: .cache(bench.cache))
        let response = try await transport.process(HTTPRequest(url: bench.url), in: CallContext())
        #expect(String(decoding: response.body, as: UTF8.self) == "new")
    }

    @Test func aRedirectIsNoAnswerForCallsThatFollowIt() async throws {
        let bench = CacheBench()
        bench.reply(.get, 302, [.location: "/b", "Cache-Control": "max-age=60"], "")
        #expect(try await bench.ask().status == 302)
        bench.reply(.get, 200, [:], "b")
        #expect(try await bench.ask().status == 200)
    }

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

    @Test(arguments: ["max-age=100, no-store;", "max-age=100, no-store ;x", "max-age=100, no-store\t"])
    func aDirectiveWithASlipOfTheHandCounts(directives: String) async throws {
        let bench = CacheBench()
        for text in ["old", "new"] {
            bench.reply(.get, 200, ["Cache-Control": directives], text)
            #expect(String(decoding: try await bench.ask().body, as: UTF8.self) == text)
        }
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

    @Test func a304MakesAllVariantsWithItsStrongTagFresh() async throws {
        let bench = CacheBench()
        for (part, tag) in [("a", "\"1\""), ("b", "\"1\""), ("c", "\"2\"")] {
            bench.reply(.get, 200, ["Vary": "X-Part", "Cache-Control": "max-age=60", .eTag: tag], part)
            _ = try await bench.ask(.get, ["X-Part": part])
        }
        bench.clock.advance(by: 61)
        bench.reply(.get, 304, [.eTag: "\"1\""], "")
        #expect(try await bench.ask(.get, ["X-Part": "a"]).cacheStatus == .revalidated)
        for (part, status) in [("a", CacheStatus.hit), ("b", .hit), ("c", .stale)] {
            let found = try await bench.ask(.get, ["X-Part": part], policy: .cacheOnly)
            #expect(found.cacheStatus == status)
            #expect(String(decoding: found.body, as: UTF8.self) == part)
        }
    }

    @Test func a304ForSomethingThatIsNotStoredIsAskedAgainWithoutConditions() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "old")
        _ = try await bench.ask()
        bench.clock.advance(by: 61)
        bench.stub.on(
            .get,
            "/users",
            answering: { request in
                request.headers[.ifNoneMatch] == nil ? .text("new") : .text("", status: 304, headers: [.eTag: "\"7\""])
            }
        )
        let response = try await bench.ask()
        #expect(String(decoding: response.body, as: UTF8.self) == "new")
        #expect(response.cacheStatus == .miss)
    }

    @Test func a304MakesTheResponseFreshAgain() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, ["Cache-Control": "max-age=60", .eTag: "\"1\"", "Age": "50"], "body")
        _ = try await bench.ask()
        bench.clock.advance(by: 20)
        bench.reply(.get, 304, [.eTag: "\"1\"", "Cache-Control": "max-age=100"], "")
        #expect(try await bench.ask().cacheStatus == .revalidated)
        bench.clock.advance(by: 99)
        let hit = try await bench.ask()
        #expect(hit.cacheStatus == .hit)
        #expect(hit.headers["Age"] == "99")
        #expect(hit.headers.values(for: .cacheControl) == ["max-age=100"])
    }

    /// The server works: it says that its answer is still the same one.
    @Test(arguments: [CachePolicy.standard, .networkElseCache])
    func aStoredErrorThatTheServerConfirmsIsItsAnswer(policy: CachePolicy) async throws {
        let bench = CacheBench()
        bench.reply(.get, 503, ["Cache-Control": "max-age=10, stale-if-error=600", .eTag: "\"1\""], "busy")
        _ = try await bench.ask()
        bench.clock.advance(by: 100)
        bench.reply(.get, 304, [.eTag: "\"1\"", "X-Number": "2"], "")
        var options = CallOptions()
        options[CachePolicy.self] = policy
        let transport = bench.stub.wrapped(by: .cache(bench.cache))
        let response = try await transport.process(HTTPRequest(url: bench.url), in: CallContext(options: options))
        #expect(response.status == 503)
        #expect(response.cacheStatus == .revalidated)
        #expect(response.headers["X-Number"] == "2")
        #expect(response.replaced == nil)
    }

    @Test func a304WithNoStoreIsTheLastUse() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "body")
        _ = try await bench.ask()
        bench.clock.advance(by: 61)
        bench.reply(.get, 304, [.eTag: "\"1\"", "Cache-Control": "no-store"], "")
        #expect(try await String(decoding: bench.ask().body, as: UTF8.self) == "body")
        await #expect(throws: CacheMiss.self) { try await bench.ask(policy: .cacheOnly) }
    }

    @Test func aHeadThatAgreesMakesTheResponseFreshAgain() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "body")
        _ = try await bench.ask()
        bench.clock.advance(by: 61)
        bench.reply(.head, 200, ["Cache-Control": "max-age=60", .eTag: "\"1\"", .contentLength: "4"], "")
        #expect(try await bench.ask(.head).cacheStatus == .miss)
        #expect(try await bench.ask().cacheStatus == .hit)
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
        await #expect(throws: CacheMiss.self) { try await bench.ask(policy: .cacheOnly) }
    }

    /// Its transport may say that the connection was lost.
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
