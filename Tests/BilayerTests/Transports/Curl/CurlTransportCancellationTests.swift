#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("CurlTransport: cancellation", .timeLimit(.minutes(5)))
struct CurlTransportCancellationTests {
    /// Cancels while the exchange begins, connects and waits, against a server that never answers. A cancel that does
    /// not reach the caller hangs here; one that does not reach the network leaves a connection open.
    @Test(arguments: [UInt64(1), 2])
    func racingTheStartLosesNoCancel(seed: UInt64) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .hold)
        var transport: CurlTransport? = try CurlTransport()
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        let outcomes = await cancelled(1_000, [request], by: transport, within: 300, seed: seed)
        #expect(outcomes == ["CancellationError": 1_000], "seed \(seed)")
        transport = nil
        try await untilNoConnectionIsOpen(to: server)
    }

    /// Cancels before, while and after redirects are followed.
    @Test(arguments: [UInt64(3), 4])
    func racingRedirectsLosesNoCancel(seed: UInt64) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", .redirect(to: "/b"))
        server.on(.get, "/b", .redirect(to: "/c", status: 307))
        server.on(.get, "/c", .text(String(repeating: "x", count: 70_000), status: 302, headers: [.location: "/a"]))
        var transport: CurlTransport? = try CurlTransport()
        let requests = ["a", "b", "c"].map { HTTPRequest(url: server.url.appending(path: $0)) }
        var outcomes = await cancelled(1_000, requests, by: transport, within: 2_000, seed: seed, sparingSome: true)
        #expect(outcomes.removeValue(forKey: "spared: too many redirects") == 200, "seed \(seed): \(outcomes)")
        #expect(Set(outcomes.keys).isSubset(of: ["CancellationError", "too many redirects"]), "seed \(seed)")
        #expect(outcomes["CancellationError", default: 0] > 0)
        transport = nil
        try await untilNoConnectionIsOpen(to: server)
    }

    /// Cancels around the time of the answer: the call gives all of the response or `CancellationError`. A call that
    /// is not cancelled gives the response, whatever becomes of the others.
    @Test func racingTheEndGivesOneOrTheOther() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("[1,2,3]"))
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        let transport = try CurlTransport()
        var outcomes = await cancelled(1_000, [request], by: transport, within: 1_500, seed: 5, sparingSome: true)
        #expect(outcomes.removeValue(forKey: "spared: 200 [1,2,3]") == 200, "\(outcomes)")
        #expect(Set(outcomes.keys).isSubset(of: ["CancellationError", "200 [1,2,3]"]), "\(outcomes)")
    }

    @Test(arguments: [.hold, .stallInHead, .stallInBody(after: 5)] as [Reply])
    func aCallIsCancelledAtEveryStageOfTheAnswer(reply: Reply) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", .redirect(to: "/x"))
        server.on(.get, "/x", reply)
        var transport: CurlTransport? = try CurlTransport()
        let call = start(HTTPRequest(url: server.url.appending(path: "a")), by: transport)
        try await server.waitForRequests(count: 2)
        call.cancel()
        #expect(curlOutcome(of: await call.result) == "CancellationError")
        transport = nil
        try await untilNoConnectionIsOpen(to: server)
    }

    @Test func aCallThatWaitsForAConnectionIsCancelled() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .held(then: .json("1")))
        var settings = CurlSettings()
        settings.connectionsPerHost = 1
        let transport = try CurlTransport(settings)
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        let first = start(request, by: transport)
        try await server.waitForRequests(count: 1)
        let others = (0..<600).map { _ in start(request, by: transport) }
        for other in others { other.cancel() }
        for other in others { #expect(curlOutcome(of: await other.result) == "CancellationError") }
        let last = start(request, by: transport)
        server.release()
        #expect(curlOutcome(of: await first.result) == "200 1")
        try await server.waitForRequests(count: 2)
        server.release()
        #expect(curlOutcome(of: await last.result) == "200 1")
        #expect(server.requests.count == 2)
    }

    @Test func aLookUpOfANameIsCancelled() async throws {
        let transport = try CurlTransport()
        let url = try #require(URL(string: "http://no-such-host.invalid/"))
        let outcomes = await cancelled(64, [HTTPRequest(url: url)], by: transport, within: 500, seed: 6)
        #expect(Set(outcomes.keys).isSubset(of: ["CancellationError", "cannot find the host"]), "\(outcomes)")
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let server = try await FaultServer.start()
        let transport = try CurlTransport()
        let context = CallContext()
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        let call = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.process(request, in: context)
        }
        call.cancel()
        #expect(curlOutcome(of: await call.result) == "CancellationError")
        #expect(context.sentRequest == nil)
        #expect(server.requests.isEmpty)
    }

    /// Makes calls, eight at a time, and cancels each after a random wait of at most this many microseconds. With
    /// `sparingSome`, every fifth call is not cancelled.
    private func cancelled(
        _ count: Int,
        _ requests: [HTTPRequest],
        by transport: CurlTransport?,
        within microseconds: Int64,
        seed: UInt64,
        sparingSome: Bool = false
    ) async -> [String: Int] {
        await withTaskGroup(of: [String: Int].self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var generator = SplitMix64(seed: seed << 8 | UInt64(worker))
                    var outcomes: [String: Int] = [:]
                    for round in 0..<(count / 8) {
                        let call = start(requests[round % requests.count], by: transport)
                        let wait = Int64.random(in: 0...microseconds, using: &generator)
                        if wait > 200 { try? await Task.sleep(for: .microseconds(wait)) } else { spinFor(wait) }
                        let isSpared = sparingSome && round % 5 == 4
                        if !isSpared { call.cancel() }
                        outcomes[(isSpared ? "spared: " : "") + curlOutcome(of: await call.result), default: 0] += 1
                    }
                    return outcomes
                }
            }
            return await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }
}

/// A call in a task of its own.
private func start(_ request: HTTPRequest, by transport: CurlTransport?) -> Task<HTTPResponse, any Error> {
    Task {
        guard let transport else { throw CancellationError() }
        return try await transport.process(request)
    }
}

/// Waits without a sleep, because a sleep takes longer than the shortest of these waits.
private func spinFor(_ microseconds: Int64) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
}

/// The outcome of a call without what differs from call to call.
private func curlOutcome(of result: Result<HTTPResponse, any Error>) -> String {
    switch result {
    case .success(let response): "\(response.status.code) \(String(decoding: response.body, as: UTF8.self))"
    case .failure(is CancellationError): "CancellationError"
    case .failure(let error as TransportError): "\(error.kind)"
    case .failure(let error): "\(error)"
    }
}

/// Returns when no socket of this machine is connected to the server's port.
private func untilNoConnectionIsOpen(to server: FaultServer) async throws {
    let port = try #require(server.url.port)
    let remote = ":" + String(port, radix: 16, uppercase: true).leftPadded(to: 4)
    while true {
        let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
        let established = table.split(separator: "\n").dropFirst()
            .filter { line in
                let fields = line.split(separator: " ")
                return fields.count > 3 && fields[2].hasSuffix(remote) && fields[3] == "01"
            }
        if established.isEmpty { return }
        try await Task.sleep(for: .milliseconds(5))
    }
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: max(count - self.count, 0)) + self
    }
}
#endif
