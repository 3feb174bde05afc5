#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Whether a transport keeps its limits of connections, as counted by its servers. The first answers wait until as many
/// requests are there as the limit allows, however slow the machine is; each takes a little longer, so that requests
/// beyond the limit would be seen.
@Suite("CurlTransport: the limits of connections", .timeLimit(.minutes(5)))
struct CurlConnectionLimitTests {
    @Test("of all hosts", arguments: [1, 3])
    func ofAllHosts(limit: Int) async throws {
        let gauge = Gauge(expecting: limit)
        let servers = try await gauge.servers(4)
        var settings = CurlSettings()
        settings.connections = limit
        #expect(try await answers(to: 8, of: servers, with: settings) == 32)
        #expect(gauge.most == limit)
    }

    @Test("of each host", arguments: [1, 3])
    func ofEachHost(limit: Int) async throws {
        let gauges = [Gauge(expecting: limit), Gauge(expecting: limit)]
        let servers = [try await gauges[0].servers(1)[0], try await gauges[1].servers(1)[0]]
        var settings = CurlSettings()
        settings.connectionsPerHost = limit
        #expect(try await answers(to: 12, of: servers, with: settings) == 24)
        #expect(gauges.map(\.most) == [limit, limit])
        #expect(servers.allSatisfy { Set($0.requests.map(\.connection)).count == limit })
    }

    /// The time limit of a call begins when the limits let it use or open a connection.
    @Test func waitingForOneOfAllHostsDoesNotCount() async throws {
        let (first, second) = (try await FaultServer.start(), try await FaultServer.start())
        first.on(.get, "/x", .delayed(.seconds(3), then: .json("1")))
        second.on(.get, "/x", .json("2"))
        var settings = CurlSettings()
        settings.connections = 1
        let transport = try CurlTransport(settings)
        async let slow = transport.process(HTTPRequest(url: first.url.appending(path: "x"), timeout: .seconds(60)))
        try await first.waitForRequests(count: 1)
        let request = HTTPRequest(url: second.url.appending(path: "x"), timeout: .seconds(2))
        #expect(try await transport.process(request).body == Data("2".utf8))
        #expect(try await slow.body == Data("1".utf8))
    }

    /// Sends this many requests to each server, all at once.
    private func answers(to count: Int, of servers: [FaultServer], with settings: CurlSettings) async throws -> Int {
        let transport = try CurlTransport(settings)
        return try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for server in servers {
                let request = HTTPRequest(url: server.url.appending(path: "x"))
                for _ in 0..<count { group.addTask { try await transport.process(request) } }
            }
            return try await group.reduce(into: 0) { $0 += $1.status == 200 ? 1 : 0 }
        }
    }
}

/// Counts the requests that servers answer at a time.
private final class Gauge: Sendable {
    private let expected: Int
    private let state = Locked((now: 0, most: 0))

    /// The answers wait until this many requests have been there at a time.
    init(expecting expected: Int) { self.expected = expected }

    var most: Int { state.withLock { $0.most } }

    func servers(_ count: Int) async throws -> [FaultServer] {
        var servers: [FaultServer] = []
        for _ in 0..<count {
            let server = try await FaultServer.start()
            server.on(.get, "/x") { [self] _ in
                state.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                // This blocks only the thread of this connection. A transport that never sends so many fails the test
                // after this time, instead of waiting for ever.
                let end = ContinuousClock.now + .seconds(60)
                repeat { Thread.sleep(forTimeInterval: 0.01) } while most < expected && ContinuousClock.now < end
                state.withLock { $0.now -= 1 }
                return .json("1")
            }
            servers.append(server)
        }
        return servers
    }
}
#endif
