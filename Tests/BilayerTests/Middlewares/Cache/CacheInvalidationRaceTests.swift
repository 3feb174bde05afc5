import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// An invalidation while a call is at its look-up, or while it changes the store.
@Suite("HTTP cache: invalidation at any moment", .timeLimit(.minutes(5)))
struct CacheInvalidationRaceTests {
    private let store = GatedStore()
    private let url = URL("https://api.example.com/users")

    /// An app calls `removeAll()` when a user signs out. The call has begun before that.
    @Test func whatACallHadFoundIsNotStoredAfterARemoval() async throws {
        let cache = HTTPCache(store)
        let transport = StubTransport(.json("1", headers: ["Cache-Control": "max-age=60"]))
            .wrapped(by: .cache(cache))
        await store.stopReader(after: 0)
        let call = Task { [url] in try await transport.process(HTTPRequest(url: url)) }
        await store.waitForReader()
        await cache.removeAll()
        await store.goOn()
        #expect(try await call.value.status == 200)
        #expect(await store.isEmpty)
    }

    @Test func aValidationInTheBackgroundStoresNothingAfterARemoval() async throws {
        let cache = HTTPCache(store)
        let stub = StubTransport(
            .json("1", headers: ["Cache-Control": "max-age=0, stale-while-revalidate=100", .eTag: "\"1\""])
        )
        let transport = stub.wrapped(by: .cache(cache))
        _ = try await transport.process(HTTPRequest(url: url))
        // The call's own look-up passes; that of the validation stops.
        await store.stopReader(after: 1)
        #expect(try await transport.process(HTTPRequest(url: url)).cacheStatus == .stale)
        await store.waitForReader()
        await cache.removeAll()
        await store.goOn()
        await cache.settle()
        #expect(await store.isEmpty)
        #expect(stub.requests.count == 1, "the validation was cancelled")
        #expect(cache.engine.keeper.inProgress.count == 0)
    }

    /// A call whose response may not be stored removes its variant and writes the others back.
    @Test func otherVariantsThatWereInvalidatedDoNotComeBack() async throws {
        let cache = HTTPCache(store)
        let stub = StubTransport { request, _ in
            let control = request.headers["X-Last"] == nil ? "max-age=60" : "no-store"
            return HTTPResponse(status: 200, headers: ["Vary": "Accept-Language", "Cache-Control": control])
        }
        let transport = stub.wrapped(by: .cache(cache))
        let fields: HTTPHeaders = ["Cache-Control": "no-cache"]
        for language in ["de", "en"] {
            let headers = fields.replacing(with: [.acceptLanguage: language])
            _ = try await transport.process(HTTPRequest(url: url, headers: headers))
        }
        #expect(await !store.isEmpty)
        await store.stopReader(after: 1)
        let headers = fields.replacing(with: [.acceptLanguage: "en", "X-Last": "1"])
        let call = Task { [url] in try await transport.process(HTTPRequest(url: url, headers: headers)) }
        // The call has read the variants that it keeps. The invalidation waits for its turn.
        await store.waitForReader()
        let post = Task { [url] in try await transport.process(HTTPRequest(method: .post, url: url)) }
        while !cache.engine.keeper.inProgress.isInvalidated(HTTPCacheKey(url), since: 0) { await Task.yield() }
        await store.goOn()
        _ = try await call.value
        _ = try await post.value
        #expect(await store.isEmpty)
    }
}

/// Stops one reader after it has read.
private actor GatedStore: HTTPCacheStore {
    private var stored: [HTTPCacheKey: [HTTPCacheEntry]] = [:]
    private var readersToPass: Int?
    private var reader: CheckedContinuation<Void, Never>?
    private var observer: CheckedContinuation<Void, Never>?

    var isEmpty: Bool { stored.values.allSatisfy(\.isEmpty) }

    func stopReader(after count: Int) { readersToPass = count }

    func waitForReader() async {
        if reader == nil { await withCheckedContinuation { observer = $0 } }
    }

    func goOn() { reader?.resume() }

    func entries(for key: HTTPCacheKey, at time: Date) async -> [HTTPCacheEntry] {
        let found = stored[key] ?? []
        guard let count = readersToPass else { return found }
        readersToPass = count == 0 ? nil : count - 1
        if count == 0 {
            await withCheckedContinuation {
                reader = $0
                observer?.resume()
            }
        }
        return found
    }

    func replace(_ entries: [HTTPCacheEntry], for key: HTTPCacheKey, at time: Date) async { stored[key] = entries }

    func removeAll() async { stored = [:] }
}
