import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// A call that is in progress during a removal neither stores nor serves a removed response afterwards, in every order.
@Suite("HTTP cache: removals meet what is in progress", .timeLimit(.minutes(5)))
struct CacheRemovalTests {
    private let store = PausingStore()
    private let url = URL("https://api.example.com/users")

    private var request: HTTPRequest { HTTPRequest(url: url) }

    /// The write of a call has begun. The removal waits for it, so nothing of the write is left when the removal
    /// returns.
    @Test(arguments: [PausingStore.Moment.beforeReplacing, .afterReplacing])
    func aRemovalComesAfterAWriteThatHasBegun(moment: PausingStore.Moment) async throws {
        let cache = HTTPCache(store)
        let transport = StubTransport(.json("1", headers: ["Cache-Control": "max-age=60"]))
            .wrapped(by: .cache(cache))
        await store.pause(at: moment)
        let call = Task { [request] in try await transport.process(request) }
        await store.waitUntilPaused()
        let removal = Task { await cache.removeAll() }
        while !cache.engine.keeper.inProgress.isInvalidated(HTTPCacheKey(url), since: 0) { await Task.yield() }
        await store.goOn()
        await removal.value
        _ = try await call.value
        #expect(await store.log == ["1 stored", "all removed"])
        #expect(await store.isEmpty)
    }

    /// A call of the user who signs out: it finds what is about to be removed, and the server confirms it later.
    @Test func whatACallFindsDuringARemovalIsNotStoredAgain() async throws {
        let cache = HTTPCache(store)
        let gate = TaskGate()
        let stub = StubTransport { request, _ in
            if request.headers["X-Held"] != nil { await gate.wait() }
            let isKnown = request.headers[.ifNoneMatch] != nil
            let headers: HTTPHeaders = [.eTag: "\"1\"", "Cache-Control": "max-age=60"]
            return HTTPResponse(status: isKnown ? 304 : 200, headers: headers)
        }
        let transport = stub.wrapped(by: .cache(cache))
        _ = try await transport.process(request)
        await store.pause(at: .beforeRemoving)
        let removal = Task { await cache.removeAll() }
        await store.waitUntilPaused()
        let held = HTTPRequest(url: url, headers: ["X-Held": "1", "Cache-Control": "no-cache"])
        let call = Task { try await transport.process(held) }
        try await stub.waitForRequests(count: 2)
        await store.goOn()
        await removal.value
        await gate.open()
        #expect(try await call.value.status == 200)
        #expect(await store.isEmpty)
        #expect(cache.engine.keeper.inProgress.count == 0)
    }

    /// The removal has emptied the store, and has not returned yet.
    @Test func whatACallReceivesDuringARemovalIsNotStored() async throws {
        let cache = HTTPCache(store)
        let stub = StubTransport(.json("1", headers: ["Cache-Control": "max-age=60"]))
        let transport = stub.wrapped(by: .cache(cache))
        await store.pause(at: .afterRemoving)
        let removal = Task { await cache.removeAll() }
        await store.waitUntilPaused()
        let call = Task { [request] in try await transport.process(request) }
        // The call's look-up came during the removal.
        try await stub.waitForRequests(count: 1)
        await store.goOn()
        await removal.value
        _ = try await call.value
        #expect(await store.log == ["all removed"])
        #expect(await store.isEmpty)
    }

    @Test("one address is removed, with all of its variants and with what is in progress for it")
    func oneAddress() async throws {
        let now = Date()
        let cache = HTTPCache(store, now: { now })
        let stub = variants()
        let transport = stub.wrapped(by: .cache(cache))
        let other = HTTPRequest(url: URL("https://api.example.com/orders"))
        let german = HTTPRequest(url: url, headers: [.acceptLanguage: "de"])
        let english = HTTPRequest(url: url, headers: [.acceptLanguage: "en"])
        for call in [german, english, other] { _ = try await transport.process(call) }
        await store.pause(at: .afterReading)
        let call = Task { try await transport.process(german) }
        await store.waitUntilPaused()
        await cache.remove(URL("https://api.example.com/users#first"))
        await store.goOn()
        #expect(try await call.value.cacheStatus == .miss)
        // What the call has received is not stored, either.
        #expect(try await transport.process(german).cacheStatus == .miss)
        #expect(try await transport.process(english).cacheStatus == .miss)
        #expect(try await transport.process(other).cacheStatus == .hit)
    }

    /// A route escapes more characters of an argument than Foundation does.
    @Test(
        "an address is removed in any spelling",
        arguments: [
            ("/users/eva%2B1%40home%3A8", "/users/eva+1@home:8"), ("/users/eva@home", "/users/eva%40home"),
            ("/v(1)/eva%40home", "/v(1)/eva@home"), ("/~eva", "/%7Eeva"), ("/caf%C3%A9", "/caf%c3%a9"),
            ("/events?since=2026-01-01T10%3A00%3A00Z", "/events?since=2026-01-01T10:00:00Z"),
            ("/files?path=a%2Fb%3F%2B", "/files?path=a/b?+"),
        ]
    )
    func anySpelling(stored: String, removed: String) async throws {
        let base = "https://api.example.com"
        let cache = HTTPCache(store)
        let transport = StubTransport(.json("1", headers: ["Cache-Control": "max-age=60"]))
            .wrapped(by: .cache(cache))
        let request = HTTPRequest(url: try #require(URL(string: base + stored)))
        _ = try await transport.process(request)
        await cache.remove(try #require(URL(string: base + "/other" + removed)))
        #expect(try await transport.process(request).cacheStatus == .hit)
        await cache.remove(try #require(URL(string: base + removed)))
        #expect(try await transport.process(request).cacheStatus == .miss)
    }

    @Test func theAddressOfARouteIsRemovedAsFoundationWritesIt() async throws {
        let cache = HTTPCache(store)
        let stub = StubTransport(.json("{}", headers: ["Cache-Control": "max-age=60"]))
        let base = URL("https://api.example.com/v1")
        let client = Client(baseURL: base, transport: stub.wrapped(by: .cache(cache)))
        let text = "a+b@c:d/é'*!$&=,;"
        let route = Route<Json>.get("users/{name}", ["name": text], query: ["since": text])
        _ = try await client.fetch(route)
        _ = try await client.fetch(route)
        #expect(stub.requests.count == 1)
        let items = [URLQueryItem(name: "since", value: text)]
        await cache.remove(base.appending(path: "users/\(text)").appending(queryItems: items))
        _ = try await client.fetch(route)
        #expect(stub.requests.count == 2)
    }

    /// RFC 3986 §6.2.2.1, §6.2.2.2: what a reserved character means without an escape is the server's choice.
    @Test(
        "a stored response is used for its own spelling, and for equivalent ones",
        arguments: [
            ("/users/eva%40home", "/users/eva@home", false), ("/users?a=b%26c", "/users?a=b&c", false),
            ("/~eva", "/%7Eeva", true), ("/caf%C3%A9", "/caf%c3%a9", true),
        ]
    )
    func spellings(first: String, second: String, isSame: Bool) async throws {
        let stub = StubTransport { request, _ in
            let headers: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]
            return HTTPResponse(status: 200, headers: headers, body: Data(request.url.absoluteString.utf8))
        }
        let transport = stub.wrapped(by: .cache(HTTPCache(store)))
        let urls = try [first, second].map { try #require(URL(string: "https://api.example.com\($0)")) }
        _ = try await transport.process(HTTPRequest(url: urls[0]))
        #expect(try await transport.process(HTTPRequest(url: urls[1])).cacheStatus == (isSame ? .hit : .miss))
        // The tag of the other spelling is not offered: the tags of two addresses may be equal.
        #expect(stub.requests.last?.headers["If-None-Match"] == nil)
        for url in urls {
            let response = try await transport.process(HTTPRequest(url: url))
            #expect(response.cacheStatus == .hit)
            #expect(String(decoding: response.body, as: UTF8.self) == (isSame ? urls[0] : url).absoluteString)
        }
    }

    @Test func whatALookUpHasReadIsNotServedAfterARemoval() async throws {
        let cache = HTTPCache(store)
        let stub = StubTransport(.json("1", headers: ["Cache-Control": "max-age=60"]))
        let transport = stub.wrapped(by: .cache(cache))
        _ = try await transport.process(request)
        await store.pause(at: .afterReading)
        let call = Task { [request] in try await transport.process(request) }
        await store.waitUntilPaused()
        await cache.removeAll()
        await store.goOn()
        #expect(try await call.value.cacheStatus == .miss)
        #expect(stub.requests.count == 2)
        #expect(await store.isEmpty)
    }

    /// A stored response that was removed or invalidated meanwhile does not replace an error.
    @Test(arguments: [HTTPMethod.delete, .get]) func aFailureIsNotReplacedByWhatWasRemoved(
        method: HTTPMethod
    ) async throws {
        let cache = HTTPCache(store)
        let gate = TaskGate()
        let stub = StubTransport { request, _ in
            if request.method == .delete { return HTTPResponse(status: 204) }
            guard request.headers["X-Held"] != nil else {
                return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=0, stale-if-error=600"])
            }
            await gate.wait()
            throw TransportError(.connectionLost)
        }
        let transport = stub.wrapped(by: .cache(cache))
        _ = try await transport.process(request)
        let held = HTTPRequest(url: url, headers: ["X-Held": "1"])
        let call = Task { try await transport.process(held) }
        try await stub.waitForRequests(count: 2)
        if method == .delete {
            _ = try await transport.process(HTTPRequest(method: .delete, url: url))
        } else {
            await cache.removeAll()
        }
        await gate.open()
        await #expect(throws: TransportError.self) { try await call.value }
    }

    /// Two calls for variants: one removes its variant after the other one has read the variants and before it writes.
    @Test func aVariantThatIsRemovedMeanwhileDoesNotComeBack() async throws {
        let stub = variants()
        let transport = stub.wrapped(by: .cache(HTTPCache(store)))
        _ = try await transport.process(request(for: "de"))
        // The look-up of the call passes; the reading before its write stops.
        await store.pause(at: .afterReading, after: 1)
        let english = Task { [english = request(for: "en")] in try await transport.process(english) }
        await store.waitUntilPaused()
        let last = Task { [last = request(for: "de", ["X-Last": "1"])] in try await transport.process(last) }
        try await stub.waitForRequests(count: 3)
        await store.goOn()
        _ = try await english.value
        _ = try await last.value
        #expect(await store.bodies == ["en"])
    }

    /// The call's response comes while another call removes a variant, before the store has changed.
    @Test func aVariantThatIsBeingRemovedDoesNotComeBack() async throws {
        let stub = variants()
        let transport = stub.wrapped(by: .cache(HTTPCache(store)))
        _ = try await transport.process(request(for: "de"))
        await store.pause(at: .beforeReplacing)
        let last = Task { [last = request(for: "de", ["X-Last": "1"])] in try await transport.process(last) }
        await store.waitUntilPaused()
        let english = Task { [english = request(for: "en")] in try await transport.process(english) }
        try await stub.waitForRequests(count: 3)
        await store.goOn()
        _ = try await last.value
        _ = try await english.value
        #expect(await store.bodies == ["en"])
    }

    /// A server that answers in the request's language. Its response to a request with `X-Last` may not be stored.
    private func variants() -> StubTransport {
        StubTransport { request, _ in
            let control = request.headers["X-Last"] == nil ? "max-age=60" : "no-store"
            let body = Data((request.headers[.acceptLanguage] ?? "").utf8)
            let headers: HTTPHeaders = ["Vary": "Accept-Language", "Cache-Control": control]
            return HTTPResponse(status: 200, headers: headers, body: body)
        }
    }

    private func request(for language: String, _ fields: HTTPHeaders = [:]) -> HTTPRequest {
        let headers: HTTPHeaders = [.acceptLanguage: language, "Cache-Control": "no-cache"]
        return HTTPRequest(url: url, headers: headers.replacing(with: fields))
    }

    // MARK: Several caches over one store

    @Test func aRemovalByAnotherCacheOverTheStoreCounts() async throws {
        let memory = MemoryCacheStore(maximumBytes: 1 << 20)
        try await expectRemovalCounts(HTTPCache(memory), HTTPCache(memory)) {
            await memory.entries(for: HTTPCacheKey(url), at: Date())
        }
        try await expectRemovalCounts(HTTPCache(store), HTTPCache(store)) {
            await store.entries(for: HTTPCacheKey(url), at: Date())
        }
    }

    @Test func aRemovalByAnotherStoreOverTheFolderCounts() async throws {
        try await withFolder { folder in
            let stores = (0..<2).map { _ in DiskCacheStore(at: folder, maximumBytes: 1 << 20) }
            try await expectRemovalCounts(HTTPCache(stores[0]), HTTPCache(stores[1])) {
                await stores[0].entries(for: HTTPCacheKey(url), at: Date())
            }
        }
    }

    @Test func aFolderIsTheSameOneBeforeItIsMade() async throws {
        try await withFolder { folder in
            let files = FileManager.default
            try files.createDirectory(at: folder.appendingPathComponent("real"), withIntermediateDirectories: true)
            let link = folder.appendingPathComponent("link")
            try files.createSymbolicLink(at: link, withDestinationURL: folder.appendingPathComponent("real"))
            let url = link.appendingPathComponent("new/http")
            let before = DiskCacheStore(at: url, maximumBytes: 1 << 20).path
            try files.createDirectory(at: url, withIntermediateDirectories: true)
            #expect(DiskCacheStore(at: url, maximumBytes: 1 << 20).path == before)
            let real = folder.appendingPathComponent("real/new/http")
            #expect(DiskCacheStore(at: real, maximumBytes: 1 << 20).path == before)
        }
    }

    private func expectRemovalCounts(
        _ one: HTTPCache,
        _ other: HTTPCache,
        _ stored: () async -> [HTTPCacheEntry]
    ) async throws {
        for method in [HTTPMethod.get, .delete] {
            let gate = TaskGate()
            let stub = StubTransport { request, _ in
                if request.method == .get { await gate.wait() }
                return HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"])
            }
            let transport = stub.wrapped(by: .cache(one))
            let call = Task { [request] in try await transport.process(request) }
            try await stub.waitForRequests(count: 1)
            if method == .get {
                await other.removeAll()
            } else {
                _ = try await stub.wrapped(by: .cache(other)).process(HTTPRequest(method: method, url: url))
            }
            await gate.open()
            #expect(try await call.value.status == 200)
            #expect(await stored().isEmpty, "\(method)")
        }
    }
}
