import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("URLSessionTransport: cancellation", .timeLimit(.minutes(5)))
struct URLSessionTransportCancellationTests {
    let transport = URLSessionTransport()

    /// Cancels while the task is made and while its request is on its way, against a server that never answers. A
    /// cancel that does not reach the caller hangs here; one that does not reach the network leaves its transfer open.
    @Test(arguments: [(1, 200), (2, 200), (3, 3000)] as [(UInt64, Int64)])
    func racingTheStartLosesNoCancel(seed: UInt64, longestWait: Int64) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .hold)
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        var generator = SplitMix64(seed: seed)
        var outcomes: [String: Int] = [:]
        for _ in 0..<200 {
            let call = Task { try await transport.process(request) }
            spin(for: .microseconds(Int64.random(in: 0...longestWait, using: &generator)))
            call.cancel()
            outcomes[outcome(of: await call.result), default: 0] += 1
        }
        #expect(outcomes == ["CancellationError": 200], "seed \(seed)")
        await untilNoTransferIsOpen()
    }

    /// Cancels around the time of the answer: the call gives all of the response or `CancellationError`, nothing
    /// between. Every fifth call is not cancelled and gives the response, whatever becomes of the others.
    @Test(arguments: [UInt64(4), 5])
    func racingTheEndGivesOneOrTheOther(seed: UInt64) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .json("[1,2,3]"))
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        var generator = SplitMix64(seed: seed)
        var outcomes: [String: Int] = [:]
        for round in 0..<200 {
            let call = Task { try await transport.process(request) }
            spin(for: .microseconds(Int64.random(in: 0...2000, using: &generator)))
            let isSpared = round % 5 == 4
            if !isSpared { call.cancel() }
            outcomes[(isSpared ? "spared: " : "") + outcome(of: await call.result), default: 0] += 1
        }
        #expect(outcomes.removeValue(forKey: "spared: 200 [1,2,3]") == 40, "seed \(seed): \(outcomes)")
        #expect(Set(outcomes.keys).isSubset(of: ["CancellationError", "200 [1,2,3]"]), "seed \(seed): \(outcomes)")
        await untilNoTransferIsOpen()
    }

    /// Cancels while the session asks its delegate about a redirect or a challenge. On Linux, an answer for a task that
    /// has been cancelled since would end the process. A task that gets neither the answer nor the cancel stays open,
    /// and the test hangs. Every fifth call is not cancelled.
    @Test(
        arguments: [
            (6, .redirect(to: "/x"), "too many redirects"), (7, .redirect(to: "/x", status: 307), "too many redirects"),
            (8, .basicChallenge(), "401"),
            (
                9, .text(String(repeating: "x", count: 70_000), status: 302, headers: [.location: "/x"]),
                "too many redirects"
            ),
        ] as [(UInt64, Reply, String)]
    )
    func racingARedirectEndsEveryTask(seed: UInt64, reply: Reply, end: String) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", reply)
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        let outcomes = await withTaskGroup(of: [String].self, returning: [String].self) { group in
            for worker in 0..<8 {
                group.addTask { await cancelled(75, request, seed: seed << 8 | UInt64(worker)) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(outcomes).isSubset(of: ["CancellationError", end, "spared: \(end)"]), "seed \(seed)")
        #expect(outcomes.count { $0 == "spared: \(end)" } == 120, "seed \(seed)")
        #expect(outcomes.contains("CancellationError"), "seed \(seed): no cancel came in time")
        await untilNoTransferIsOpen()
    }

    /// Makes calls one after another, and cancels each after at most 3 ms, except every fifth.
    private func cancelled(_ count: Int, _ request: HTTPRequest, seed: UInt64) async -> [String] {
        var generator = SplitMix64(seed: seed)
        var outcomes: [String] = []
        for round in 0..<count {
            let call = Task { try await transport.process(request) }
            try? await Task.sleep(for: .microseconds(Int64.random(in: 0...3000, using: &generator)))
            let isSpared = round % 5 == 4
            if !isSpared { call.cancel() }
            outcomes.append((isSpared ? "spared: " : "") + kind(of: await call.result))
        }
        return outcomes
    }

    @Test func racingManyCallsAtOnceLosesNoCancel() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/x", .hold)
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        let outcomes = await withTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask { outcome(of: await Task { try await transport.process(request) }.cancelledResult()) }
                group.addTask { outcome(of: await Result { try await transport.process(request) }) }
            }
            group.cancelAll()
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes == ["CancellationError": 400])
        await untilNoTransferIsOpen()
    }

    @Test func aCancelledTaskSendsNothing() async throws {
        let server = try await FaultServer.start()
        let context = CallContext()
        let request = HTTPRequest(url: server.url.appending(path: "x"))
        let call = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.process(request, in: context)
        }
        call.cancel()
        #expect(outcome(of: await call.result) == "CancellationError")
        #expect(context.sentRequest == nil)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [.hold, .stallInHead, .stallInBody(after: 5)] as [Reply])
    func aCallIsCancelledAtEveryStageOfTheAnswer(reply: Reply) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", .redirect(to: "/x"))
        server.on(.get, "/x", reply)
        let call = Task { try await transport.process(HTTPRequest(url: server.url.appending(path: "a"))) }
        try await server.waitForRequests(count: 2)
        call.cancel()
        #expect(outcome(of: await call.result) == "CancellationError")
        await untilNoTransferIsOpen()
    }

    private func untilNoTransferIsOpen() async {
        while transport.connection.delegate.openTransferCount > 0 { await Task.yield() }
    }
}

private func outcome(of result: Result<HTTPResponse, any Error>) -> String {
    switch result {
    case .success(let response): "\(response.status.code) \(String(decoding: response.body, as: UTF8.self))"
    case .failure(is CancellationError): "CancellationError"
    case .failure(let error): "\(error)"
    }
}

/// An outcome without what differs from call to call.
private func kind(of result: Result<HTTPResponse, any Error>) -> String {
    switch result {
    case .success(let response): "\(response.status.code)"
    case .failure(let error as TransportError): "\(error.kind)"
    case .failure(let error): "\(type(of: error))"
    }
}

/// Waits without a sleep, because a sleep takes longer than the shortest of these waits.
private func spin(for duration: Duration) {
    let end = ContinuousClock.now + duration
    while ContinuousClock.now < end {}
}

extension Task where Failure == any Error {
    fileprivate func cancelledResult() async -> Result<Success, any Error> {
        cancel()
        return await result
    }
}

extension Result where Failure == any Error, Success: Sendable {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
