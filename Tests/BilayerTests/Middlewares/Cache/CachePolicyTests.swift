import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Cache policies", .timeLimit(.minutes(5)))
struct CachePolicyTests {
    enum Stored: Sendable, CaseIterable {
        case nothing
        case fresh
        case stale
    }

    /// The outcomes with no, a fresh and a stale stored response; then the same three without the server.
    @Test(arguments: [
        (CachePolicy.standard, ["miss", "hit", "miss"], ["error", "hit", "error"]),
        (.revalidate, ["miss", "miss", "miss"], ["error", "error", "error"]),
        (.networkOnly, ["miss", "miss", "miss"], ["error", "error", "error"]),
        (.networkWithoutStoring, ["bypass", "bypass", "bypass"], ["error", "error", "error"]),
        (.cacheOnly, ["error", "hit", "stale"], ["error", "hit", "stale"]),
        (.cacheElseNetwork, ["miss", "hit", "stale"], ["error", "hit", "stale"]),
        (.networkElseCache, ["miss", "miss", "miss"], ["error", "hit", "stale"]),
    ])
    func aPolicyChoosesBetweenStoreAndServer(policy: CachePolicy, online: [String], offline: [String]) async throws {
        for (status, expected) in [(200 as HTTPStatus?, online), (nil, offline)] {
            for (stored, outcome) in zip(Stored.allCases, expected) {
                let bench = CacheBench()
                if stored != .nothing {
                    bench.reply(.get, 200, ["Cache-Control": "max-age=60, must-revalidate", .eTag: "\"1\""], "old")
                    _ = try await bench.ask()
                    if stored == .stale { bench.clock.advance(by: 61) }
                }
                bench.reply(.get, status, [:], "new")
                let found = try? await bench.ask(policy: policy).cacheStatus
                #expect(found?.description ?? "error" == outcome, "\(policy), \(stored), \(expected)")
                let last = bench.stub.requests.last
                if [.networkOnly, .networkWithoutStoring].contains(policy) {
                    #expect(last?.headers[.ifNoneMatch] == nil)
                }
            }
        }
    }

    @Test(arguments: [500, 502, 503, 504])
    func networkElseCacheReplacesErrorsOfTheServer(status: Int) async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, [:], "old")
        _ = try await bench.ask()
        bench.reply(.get, HTTPStatus(status), [:], "")
        #expect(try await bench.ask(policy: .networkElseCache).cacheStatus == .stale)
    }

    @Test func aResponseOfNetworkWithoutStoringIsNotStored() async throws {
        let bench = CacheBench()
        for method in [HTTPMethod.get, .head] {
            bench.reply(method, 200, ["Cache-Control": "max-age=60"], "code")
            _ = try await bench.ask(method, policy: .networkWithoutStoring)
        }
        #expect(bench.store.byteCount == 0)
        await #expect(throws: CacheMissError.self) { try await bench.ask(policy: .cacheOnly) }
        // What is stored stays.
        bench.reply(.get, 200, ["Cache-Control": "max-age=60"], "list")
        _ = try await bench.ask()
        bench.reply(.get, 200, ["Cache-Control": "max-age=60"], "code")
        _ = try await bench.ask(policy: .networkWithoutStoring)
        #expect(try await bench.ask().body == Data("list".utf8))
    }

    @Test func noPolicyUsesAResponseThatMustNotBeStored() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, ["Cache-Control": "no-store"], "secret")
        _ = try await bench.ask()
        await #expect(throws: CacheMissError.self) { try await bench.ask(policy: .cacheOnly) }
        await #expect(throws: CacheMissError.self) { try await bench.ask(.post, policy: .cacheOnly) }
    }

    @Test func theAnswerSaysWhereItCameFromAndTheNotesSayWhy() async throws {
        let bench = CacheBench()
        bench.reply(.get, 200, ["Cache-Control": "max-age=60"], "[]")
        let client = Client(
            baseURL: URL("https://api.example.com"),
            transport: bench.stub.wrapped(by: .cache(bench.cache))
        )
        let route = Route<Json>.get("users")
        let first = try await client.send(route)
        #expect(first.response?.cacheStatus == .miss)
        #expect(first.events.map(\.text) == ["cache: miss; fwd=uri-miss; fwd-status=200; stored"])
        bench.clock.advance(by: 20)
        let second = try await client.send(route)
        #expect(second.response?.cacheStatus == .hit)
        #expect(second.response?.url == URL("https://api.example.com/users"))
        #expect(second.events.map(\.text) == ["cache: hit; ttl=40"])
        bench.clock.advance(by: 60)
        let third = try await client.send(route, cache: .cacheElseNetwork)
        #expect(third.events.map(\.text) == ["cache: stale; ttl=-20; policy"])
    }
}
