import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("Parallel calls", .timeLimit(.minutes(5)))
struct ParallelCallsTests {
    private let server: FaultServer
    private var client: Client { Client(baseURL: server.url) }

    init() async throws { server = try await FaultServer.start() }

    private func routes(_ count: Int) -> [Route<Int>] { (0..<count).map { .get("n/{id}", ["id": $0]) } }

    @Test("responses are in the order of the routes", arguments: [1, 3, 100])
    func order(most: Int) async throws {
        server.on(.get, "/n/{id}") { .json(String($0.path.dropFirst("/n/".count))) }
        #expect(try await client.fetchAll(routes(8), atMost: most) == Array(0..<8))
        #expect(try await client.gather(routes(8), atMost: most).map { try $0.get() } == Array(0..<8))
        #expect(try await client.fetchAll([Route<Int>]()).isEmpty)
    }

    @Test("there are never more calls at a time than allowed")
    func bound() async throws {
        server.on(.get, "/n/{id}", .held(then: .json("1")))
        let client = client
        let routes = routes(6)
        let task = Task { try await client.fetchAll(routes, atMost: 2) }
        for count in [2, 4, 6] {
            try await server.waitForRequests(count: count)
            #expect(server.requests.count == count)
            server.release()
        }
        #expect(try await task.value.count == 6)
    }

    /// The first calls wait until as many as allowed are in flight. Then each call takes some more time, so that a call
    /// beyond the limit could begin.
    @Test("as many calls as allowed are under way, and not one more", arguments: [1, 2, 5])
    func mostAtATime(allowed: Int) async throws {
        let calls = Locked((now: 0, most: 0))
        let stub = StubTransport { _, _ in
            calls.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            while calls.withLock({ $0.most < allowed }) { await Task.yield() }
            for _ in 0..<20 { await Task.yield() }
            calls.withLock { $0.now -= 1 }
            return HTTPResponse(status: 200, headers: [.contentType: "application/json"], body: Data("1".utf8))
        }
        let client = Client(baseURL: URL("https://example.com"), transport: stub)
        #expect(try await client.fetchAll(routes(100), atMost: allowed).count == 100)
        #expect(calls.withLock { $0.most == allowed })
        calls.withLock { $0 = (0, 0) }
        #expect(try await client.gather(routes(100), atMost: allowed).count == 100)
        #expect(calls.withLock { $0.most == allowed })
    }

    @Test("the first error cancels the others")
    func sharedCancel() async throws {
        server.on(.get, "/n/0", .hold)
        server.on(.get, "/n/1", .status(500))
        let error = await #expect(throws: CallError.self) { try await client.fetchAll(routes(2)) }
        #expect(error?.status == 500)
    }

    @Test("gathering keeps each result and its place")
    func tolerant() async throws {
        server.on(.get, "/n/0", .json("0"))
        server.on(.get, "/n/1", .status(500))
        server.on(.get, "/n/2", .json("2"))
        let results = try await client.gather(routes(3))
        #expect(try results[0].get() == 0)
        #expect(throws: CallError.self) { try results[1].get() }
        #expect(try results[2].get() == 2)
    }

    @Test("a cancel ends all calls, also of a gathering")
    func cancel() async throws {
        server.on(.get, "/n/{id}", .hold)
        let (client, routes) = (client, routes(3))
        let task = Task { try await client.gather(routes) }
        try await server.waitForRequests(count: 3)
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
