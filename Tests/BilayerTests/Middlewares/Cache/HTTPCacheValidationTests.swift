import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("HTTP cache: validation", .timeLimit(.minutes(5)))
struct HTTPCacheValidationTests {
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
        // The next request with that language is a hit, and the other variants are still there.
        for (language, body) in [("de-AT", "de"), ("de", "de"), ("en", "en")] {
            let hit = try await bench.ask(.get, [.acceptLanguage: language])
            #expect(hit.cacheStatus == .hit)
            #expect(String(decoding: hit.body, as: UTF8.self) == body)
        }
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

    /// The server works: it confirms that the stored error is still its answer.
    @Test(arguments: [CachePolicy.standard, .networkElseCache])
    func aStoredErrorThatTheServerConfirmsIsItsAnswer(policy: CachePolicy) async throws {
        let bench = CacheBench()
        bench.reply(.get, 404, ["Cache-Control": "max-age=10, stale-if-error=600", .eTag: "\"1\""], "gone")
        _ = try await bench.ask()
        bench.clock.advance(by: 100)
        bench.reply(.get, 304, [.eTag: "\"1\"", "X-Number": "2"], "")
        var options = CallOptions()
        options[CachePolicy.self] = policy
        let transport = bench.stub.wrapped(by: .cache(bench.cache))
        let response = try await transport.process(HTTPRequest(url: bench.url), in: CallContext(options: options))
        #expect(response.status == 404)
        #expect(response.cacheStatus == .revalidated)
        #expect(response.headers["X-Number"] == "2")
        #expect(response.replaced == nil)
    }

    /// Tags of two users can be equal: a server may count versions for each of them.
    @Test(arguments: ["Authorization", "Cookie", "Accept-Language, authorization", "X-Auth-Token", "X-UserPin"])
    func theTagOfAnotherUserIsNotOffered(vary: String) async throws {
        let bench = CacheBench()
        let field: HTTPHeaders.Name = vary.contains("uthorization") ? .authorization : HTTPHeaders.Name(vary)
        for user in ["Ada", "Ben"] {
            bench.reply(.get, 200, ["Vary": vary, .eTag: "\"1\"", "Cache-Control": "max-age=60"], user)
            _ = try await bench.ask(.get, [field: user])
            #expect(bench.stub.requests.last?.headers[.ifNoneMatch] == nil)
        }
        bench.clock.advance(by: 61)
        bench.reply(.get, 304, [.eTag: "\"1\"", "X-User": "Ben"], "")
        let own = try await bench.ask(.get, [field: "Ben"])
        #expect(own.cacheStatus == .revalidated)
        #expect(own.body == Data("Ben".utf8))
        let other = try await bench.ask(.get, [field: "Ada"], policy: .cacheOnly)
        #expect(other.cacheStatus == .stale)
        #expect(other.body == Data("Ada".utf8))
        #expect(other.headers["X-User"] == nil)
    }

    /// The tag is that of the other user's response; this user's response has none.
    @Test func a304DoesNotSelectTheResponseOfAnotherUser() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, ["Vary": "Authorization", .eTag: "\"1\"", "Cache-Control": "max-age=60"], "Ada")
        _ = try await bench.ask(.get, [.authorization: "Ada"])
        bench.reply(
            .get,
            200,
            ["Vary": "Authorization", .lastModified: CacheRow.date(-1_000), "Cache-Control": "max-age=60"],
            "Ben"
        )
        _ = try await bench.ask(.get, [.authorization: "Ben"])
        bench.clock.advance(by: 61)
        bench.stub.on(
            .get,
            "/users",
            answering: { request in
                guard request.headers[.ifModifiedSince] != nil else { return .text("new") }
                return .text("", status: 304, headers: [.eTag: "\"1\""])
            }
        )
        #expect(try await bench.ask(.get, [.authorization: "Ben"]).body == Data("new".utf8))
    }

    @Test func a304WithNoStoreIsTheLastUse() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, Self.minute, "body")
        _ = try await bench.ask()
        bench.clock.advance(by: 61)
        bench.reply(.get, 304, [.eTag: "\"1\"", "Cache-Control": "no-store"], "")
        #expect(try await String(decoding: bench.ask().body, as: UTF8.self) == "body")
        await #expect(throws: CacheMissError.self) { try await bench.ask(policy: .cacheOnly) }
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
}
