import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("A call that may use only the cache sends nothing without one", .timeLimit(.minutes(5)))
struct CacheOnlyTests {
    private static let users = Route<Json>.get("users").with(option: CachePolicy.cacheOnly)

    private func isMiss(_ error: CallError?) -> Bool { error?.underlyingError is CacheMissError }

    @Test(arguments: BuiltInTransport.allCases)
    func overSockets(choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/users", .json("[]"))
        let client = Client(baseURL: server.url, transport: try choice.transport())
        let error = await #expect(throws: CallError.self) { try await client.fetch(Self.users) }
        #expect(isMiss(error) && server.requests.isEmpty)
    }

    @Test func throughMiddlewares() async throws {
        let refreshes = Locked(0)
        let tokens = BearerTokens {
            refreshes.withLock { $0 += 1 }
            return "A"
        }
        let stub = StubTransport(.json("[]"))
        let transport = stub.wrapped(by: .circuitBreaker(failures: 1))
            .wrapped(by: .authentication(tokens))
            .wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
            .wrapped(by: .deduplication)
        let client = Client(baseURL: URL("https://api.example.com"), transport: transport)
        let error = await #expect(throws: CallError.self) { try await client.fetch(Self.users) }
        #expect(isMiss(error) && stub.requests.isEmpty && refreshes.withLock { $0 } == 0)
        // The circuit does not count the miss as a failure of the host, and other calls may send.
        #expect(try await client.fetch(Route<Json>.get("users")).array?.isEmpty == true)
    }

    @Test func ofStreamsAndDownloads() async throws {
        let stub = StubTransport(.json("[1]"))
        var client = Client(baseURL: URL("https://api.example.com"), transport: stub)
        client.options[CachePolicy.self] = .cacheOnly
        let list = client.stream(Route<Int>.get("users"), as: .array)
        var error = await #expect(throws: CallError.self) { for try await _ in list {} }
        #expect(isMiss(error))
        try await withFolder { folder in
            let place = folder.appendingPathComponent("film.mp4")
            error = await #expect(throws: CallError.self) {
                try await client.download(.get("film.mp4"), to: place).file()
            }
        }
        #expect(isMiss(error) && stub.requests.isEmpty)
    }
}
