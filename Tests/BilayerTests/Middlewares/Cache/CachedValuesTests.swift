import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// The values of a client with a cache, over real sockets.
@Suite("Cache: over sockets", .timeLimit(.minutes(5)))
struct CachedValuesTests {
    private static let route = Route<[String]>.get("users")

    /// A server that answers conditional requests, and whose list changes when a test says so.
    private final class Scene: Sendable {
        let server: FaultServer
        let clock = CacheDates(CacheRow.start)
        let cache: HTTPCache
        let client: Client

        init() async throws {
            server = try await FaultServer.start()
            let cache = HTTPCache(.memory(maximumBytes: 1 << 20), now: { [clock] in clock.now })
            client = Client(baseURL: server.url, transport: URLSessionTransport().wrapped(by: .cache(cache)))
            self.cache = cache
        }

        func serve(_ body: String, tag: String, _ control: String = "max-age=60") {
            server.on(.get, "/users") { request in
                let headers: HTTPHeaders = [.eTag: tag, "Cache-Control": control]
                return request.headers[.ifNoneMatch] == tag
                    ? .status(304, headers: headers) : .json(body, headers: headers)
            }
        }

        func values(_ updates: CacheUpdates = .cacheThenNetwork) async -> ([[String]], (any Error)?) {
            var found: [[String]] = []
            do {
                for try await value in client.values(of: CachedValuesTests.route, cache: updates) {
                    found.append(value)
                }
                return (found, nil)
            } catch {
                return (found, error)
            }
        }
    }

    @Test func aStaleResponseIsValidatedWith304() async throws {
        let scene = try await Scene()
        scene.serve(#"["Ada"]"#, tag: "\"1\"")
        #expect(try await scene.client.fetch(Self.route) == ["Ada"])
        #expect(try await scene.client.send(Self.route).response?.cacheStatus == .hit)
        scene.clock.advance(by: 61)
        let answer = try await scene.client.send(Self.route)
        #expect(answer.value == ["Ada"])
        #expect(answer.response?.cacheStatus == .revalidated)
        #expect(answer.response?.status == 200)
        #expect(scene.server.requests.count == 2)
        #expect(scene.server.requests.last?.headers[.ifNoneMatch] == "\"1\"")
        #expect(try await scene.client.send(Self.route).response?.cacheStatus == .hit)
    }

    @Test func aStaleResponseReplacesAnErrorOfTheConnection() async throws {
        let scene = try await Scene()
        scene.serve(#"["Ada"]"#, tag: "\"1\"", "max-age=60, stale-if-error=600")
        _ = try await scene.client.fetch(Self.route)
        scene.clock.advance(by: 61)
        scene.server.on(.get, "/users", .resetInBody(after: 3))
        let answer = try await scene.client.send(Self.route)
        #expect(answer.value == ["Ada"])
        #expect(answer.response?.cacheStatus == .stale)
    }

    /// Calls that meet a fault of the connection, with nothing stored and with a stored response.
    @Test(arguments: [
        Reply.resetBeforeAnswer, .resetInBody(after: 3), .truncatedBody(sent: 3, declared: 9), .unfinishedChunks(),
        .badChunk, .badGzip, .notHTTP,
    ])
    func aFaultIsNeverStored(fault: Reply) async throws {
        let scene = try await Scene()
        scene.server.on(.get, "/users", fault)
        for policy in [CachePolicy.standard, .networkElseCache, .revalidate] {
            await #expect(throws: CallError.self) { try await scene.client.fetch(Self.route, cache: policy) }
        }
        let sent = scene.server.requests.count
        await #expect(throws: CallError.self) { try await scene.client.fetch(Self.route, cache: .cacheOnly) }
        #expect(scene.server.requests.count == sent)

        scene.serve(#"["Ada"]"#, tag: "\"1\"")
        _ = try await scene.client.fetch(Self.route)
        scene.server.on(.get, "/users", fault)
        await #expect(throws: CallError.self) { try await scene.client.fetch(Self.route, cache: .revalidate) }
        #expect(try await scene.client.fetch(Self.route, cache: .networkElseCache) == ["Ada"])
        #expect(try await scene.client.send(Self.route).response?.cacheStatus == .hit)
    }

    @Test func aResponseOnDiskIsThereForTheNextCache() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bilayer-cache-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await FaultServer.start()
        server.on(
            .get,
            "/users",
            .json(#"["Ada"]"#, headers: ["Cache-Control": "max-age=60", .setCookie: "id=s3cr3t"])
        )
        for expected in [CacheStatus.miss, .hit, .hit] {
            let cache = HTTPCache(.disk(at: folder, maximumBytes: 1 << 20), now: { CacheRow.start })
            let client = Client(baseURL: server.url, transport: URLSessionTransport().wrapped(by: .cache(cache)))
            let answer = try await client.send(Self.route)
            #expect(answer.value == ["Ada"])
            #expect(answer.response?.cacheStatus == expected)
        }
        #expect(server.requests.count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 1)
        for name in names {
            let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
            #expect(bytes.range(of: Data("s3cr3t".utf8)) == nil)
            #expect(bytes.range(of: Data("127.0.0.1".utf8)) == nil)
        }
    }

    @Test func theStoredValueIsFollowedByTheServers() async throws {
        let scene = try await Scene()
        scene.serve(#"["Ada"]"#, tag: "\"1\"")
        #expect(await scene.values().0 == [["Ada"]], "without a stored value there is one")
        scene.serve(#"["Ada","Bob"]"#, tag: "\"2\"")
        #expect(await scene.values().0 == [["Ada"], ["Ada", "Bob"]])
        #expect(await scene.values().0 == [["Ada", "Bob"], ["Ada", "Bob"]])
        #expect(scene.server.requests.count == 3)
    }

    /// If nothing is stored, the observer sees one call, that to the server. A stored value is one more call.
    @Test func theObserverSeesNoCallThatFindsNothing() async throws {
        let scene = try await Scene()
        scene.serve(#"["Ada"]"#, tag: "\"1\"")
        let observer = EventTexts()
        var client = scene.client
        client.observer = observer
        for try await _ in client.values(of: Self.route, cache: .cacheThenNetwork) {}
        #expect(observer.kinds == ["began", "sent", "received", "ended"])
        observer.clear()
        for try await _ in client.values(of: Self.route, cache: .cacheThenNetwork) {}
        #expect(observer.kinds == ["began", "ended", "began", "sent", "received", "ended"])
        // Without a cache there is nothing stored.
        observer.clear()
        client.transport = URLSessionTransport().erased()
        for try await _ in client.values(of: Self.route, cache: .cacheThenNetwork) {}
        #expect(observer.kinds == ["began", "sent", "received", "ended"])
        // A stored value that cannot be mapped is a failure.
        observer.clear()
        client.transport = scene.client.transport
        let numbers = Route<[Int]>.get("users")
        await #expect(throws: CallError.self) {
            for try await _ in client.values(of: numbers, cache: .cacheThenNetwork) {}
        }
        #expect(observer.kinds == ["began", "failed", "began", "sent", "received", "failed"])
    }

    @Test func anUnchangedValueCanBeSkipped() async throws {
        let scene = try await Scene()
        scene.serve(#"["Ada"]"#, tag: "\"1\"")
        #expect(await scene.values(.cacheThenChanges).0 == [["Ada"]])
        #expect(await scene.values(.cacheThenChanges).0 == [["Ada"]])
        #expect(scene.server.requests.count == 2)
        scene.serve(#"["Bob"]"#, tag: "\"2\"")
        #expect(await scene.values(.cacheThenChanges).0 == [["Ada"], ["Bob"]])
    }

    @Test func anErrorFollowsTheStoredValue() async throws {
        let scene = try await Scene()
        scene.serve(#"["Ada"]"#, tag: "\"1\"")
        _ = await scene.values()
        scene.server.on(.get, "/users", .status(503))
        let (values, error) = await scene.values()
        #expect(values == [["Ada"]])
        #expect((error as? CallError)?.status == 503)
        scene.server.stop()
        let (again, loss) = await scene.values()
        #expect(again == [["Ada"]])
        #expect((loss as? CallError)?.underlyingError is TransportError)
    }

    @Test func aStoredValueThatCannotBeMappedIsSkipped() async throws {
        let scene = try await Scene()
        scene.serve(#"{"error":true}"#, tag: "\"1\"")
        #expect(await scene.values().0.isEmpty)
        scene.serve(#"["Ada"]"#, tag: "\"2\"")
        #expect(await scene.values().0 == [["Ada"]])
    }

    @Test func withoutACacheThereIsOneValueAndOneRequest() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json(#"["Ada"]"#))
        var found: [[String]] = []
        for try await value in Client(baseURL: server.url).values(of: Self.route, cache: .cacheThenNetwork) {
            found.append(value)
        }
        #expect(found == [["Ada"]])
        #expect(server.requests.count == 1)
    }

    @Test func endingTheLoopAfterTheStoredValueSendsNothing() async throws {
        let scene = try await Scene()
        scene.serve(#"["Ada"]"#, tag: "\"1\"")
        _ = await scene.values()
        for try await value in scene.client.values(of: Self.route, cache: .cacheThenNetwork) {
            #expect(value == ["Ada"])
            break
        }
        #expect(scene.server.requests.count == 1)
    }

    @Test func aCancelledLoopEndsWithCancellation() async throws {
        let scene = try await Scene()
        scene.serve(#"["Ada"]"#, tag: "\"1\"")
        _ = await scene.values()
        scene.server.on(.get, "/users", .hold)
        let task = Task { await scene.values() }
        try await scene.server.waitForRequests(count: 2)
        task.cancel()
        let (values, error) = await task.value
        #expect(values == [["Ada"]])
        #expect(error is CancellationError)
    }
}

/// The kinds of the events, without the notes and the ends of stages.
private final class EventTexts: CallObserver {
    private let found = Locked<[String]>([])

    var kinds: [String] { found.withLock { $0 } }

    func clear() { found.withLock { $0 = [] } }

    func observe(_ event: CallEvent, in call: CallContext) {
        let kind: String? =
            switch event.kind {
            case .began: "began"
            case .sent: "sent"
            case .received: "received"
            case .lost: "lost"
            case .ended(_, nil): "ended"
            case .ended: "failed"
            case .note, .stageEnded: nil
            }
        if let kind { found.withLock { $0.append(kind) } }
    }
}
