import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

@Suite(.timeLimit(.minutes(5))) struct FaultServerLifeTests {
    @Test func stopsWhateverItsConnectionsDo() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/hold", .hold)
        server.on(.get, "/delay", .delayed(.seconds(3600)))
        server.on(.get, "/head", .stallInHead)
        server.on(.get, "/body", .stallInBody(after: 5))
        server.on(.get, "/flood", .data(Data(count: 64 << 20)))  // more than the sockets buffer: the send waits
        let paths = ["/hold", "/delay", "/head", "/body", "/flood"]
        let clients = try (paths + ["idle"]).map { _ in try RawClient(server) }
        for (client, path) in zip(clients, paths) { try client.send(get(path)) }
        try await server.waitForRequests(count: paths.count)

        server.stop()
        server.stop()  // once more does no harm
        try await server.waitUntilStopped()
        for client in clients { _ = client.readToEnd() }
    }

    @Test func isNotReachedOnceItHasStopped() async throws {
        // The server of another test may get the port of a stopped server, and answer instead. That does not happen
        // five times in a row.
        var isRefused = false
        for _ in 0..<5 where !isRefused {
            let server = try await FaultServer.start()
            server.stop()
            try await server.waitUntilStopped()
            isRefused = (try? RawClient(server)) == nil
        }
        #expect(isRefused)
    }

    @Test func endsWithItsLastReference() async throws {
        var server: FaultServer? = try await FaultServer.start()
        let client = try RawClient(try #require(server))
        server?.on(.get, "/", .hold)
        try client.send(get("/"))
        try await server?.waitForRequests(count: 1)
        server = nil
        #expect(client.readToEnd().text.isEmpty)
    }

    @Test func waitingForRequestsEndsWithTheServer() async throws {
        let server = try await FaultServer.start()
        let waiting = Task { try await server.waitForRequests(count: 1) }
        server.stop()
        await #expect(throws: FaultServerError.self) { try await waiting.value }
    }

    @Test func waitingForRequestsCanBeCancelled() async throws {
        let server = try await FaultServer.start()
        for round in 0..<200 {
            let waiting = Task { try await server.waitForRequests(count: 1) }
            if round.isMultiple(of: 2) { await Task.yield() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    @Test func hasRequestsAlreadyWhenAskedLate() async throws {
        let server = try await FaultServer.start()
        let client = try RawClient(server)
        try client.send(get("/", "Connection: close"))
        _ = client.readToEnd()
        #expect(try await server.waitForRequests(count: 1).count == 1)
    }

    @Test func releasesOnlyWhatHasArrived() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .held(then: .text("go")))
        let first = try RawClient(server)
        try first.send(get("/", "Connection: close"))
        try await server.waitForRequests(count: 1)
        server.release()
        #expect(first.readToEnd().text.hasSuffix("go"))

        let second = try RawClient(server)
        try second.send(get("/"))
        try await server.waitForRequests(count: 2)
        server.stop()
        #expect(second.readToEnd().text.isEmpty)
    }

    #if !canImport(Darwin)  // On Darwin, the end of a held connection shows only once the server writes to it.
    @Test func hangsUpWithTheClient() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/", .hold)
        for count in 1...50 {
            let client = try RawClient(server)
            try client.send(get("/"))
            try await server.waitForRequests(count: count)
        }
        // Only the thread that accepts connections is left, although the test stopped and released nothing.
        try await server.engine.state.wait { $0.threads == 1 ? () : nil }
    }
    #endif
}
