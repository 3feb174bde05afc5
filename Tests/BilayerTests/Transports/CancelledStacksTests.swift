#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Each test runs in a process of its own, so that the descriptors are those of its calls.
@Suite("Cancelled calls of random stacks leave no descriptor and no waiter", .timeLimit(.minutes(10)), .serialized)
struct CancelledStacksTests {
    @Test func overCurl() async { await #expect(processExitsWith: .success) { try await cancelStacks(over: .curl) } }

    @Test func overURLSession() async {
        await #expect(processExitsWith: .success) { try await cancelStacks(over: .urlSession) }
    }
}

/// Makes calls through random stacks of middlewares, cancels each within 300 microseconds, and then looks for what is
/// left of them. `BILAYER_STORMS=8` makes eight times as many stacks.
private func cancelStacks(over choice: BuiltInTransport) async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["BILAYER_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
    let count = 12 * max(environment["BILAYER_STORMS"].flatMap { Int($0) } ?? 1, 1)
    let storm = try await Storm(over: choice)
    // Connections, threads and caches of libraries are made in the first calls.
    for number in 0..<2 { try await storm.check(seed: seed &- UInt64(number) &- 1) }
    let before = ProcessResources.now
    for number in 0..<count { try await storm.check(seed: seed &+ UInt64(number)) }
    // Connections are closed after the calls. The transport keeps a few for later calls.
    while true {
        let now = ProcessResources.now
        if now.descriptors <= before.descriptors + 48, now.threads <= before.threads + 32 { return }
        try await Task.sleep(for: .milliseconds(10))
    }
}

private struct Storm {
    private let transport: AnyNode<HTTPRequest, HTTPResponse>
    private let server: FaultServer
    private let requests: [HTTPRequest]

    init(over choice: BuiltInTransport) async throws {
        transport = try choice.transport()
        server = try await FaultServer.start()
        server.on(.get, "/answered", .json("[1]", headers: ["Cache-Control": "max-age=0, stale-while-revalidate=60"]))
        server.on(.get, "/held", .hold)
        server.on(.get, "/moved", .redirect(to: "/held"))
        server.on(.get, "/stalled", .stallInBody(after: 5))
        server.on(.get, "/refused", .status(401))
        server.on(.get, "/busy", .status(503))
        server.on(.get, "/lost", .closeBeforeAnswer)
        server.on(.post, "/held", .hold)
        let paths = ["answered", "held", "moved", "stalled", "refused", "busy", "lost"]
        let post = HTTPRequest(method: .post, url: server.url.appending(path: "held"), body: Data("body".utf8))
        requests = [post] + paths.map { [server] in HTTPRequest(url: server.url.appending(path: $0)) }
    }

    func check(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let clock = ContinuousClock()
        let stack = RandomStack(around: transport, clock: clock, bases: [server.url, server.url], &random)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var random = SplitMix64(seed: seed &+ UInt64(worker) &* 1_000)
                    for round in 0..<32 {
                        let request = requests[round % requests.count]
                        let call = Task { try await stack.node.process(request) }
                        let end = clock.now + .microseconds(Int64.random(in: 0...300, using: &random))
                        while clock.now < end {}
                        call.cancel()
                        guard case .failure(let error) = await call.result, !isDocumented(error) else { continue }
                        print("found \(error), expected a response or a documented error; seed \(seed), \(stack)")
                        throw error
                    }
                }
            }
            try await group.waitForAll()
        }
        for cache in stack.caches {
            cache.cancelRefreshes()
            await cache.settle()
        }
        server.forgetRequests()
        try expect(stack.deduplications.allSatisfy { $0.waiting == 0 }, "waiters of a deduplication", seed, stack)
        try expect(stack.tokens.allSatisfy { $0.waiting == 0 }, "waiters of tokens", seed, stack)
        let exchanges = stack.caches.map(\.engine.keeper.inProgress.count)
        try expect(exchanges.allSatisfy { $0 == 0 }, "exchanges of a cache", seed, stack)
        // Calls that are not cancelled end as usual: the cancelled calls hold no place of a limit of concurrent calls.
        let results = await withTaskGroup(of: Result<HTTPResponse, any Error>.self) { group in
            for _ in 0..<4 {
                let request = HTTPRequest(url: server.url.appending(path: "answered"))
                group.addTask { await Task { try await stack.node.process(request) }.result }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for result in results { try expect(isOfNoCancel(result, stack), "\(result)", seed, stack) }
    }

    private func expect(_ holds: Bool, _ what: String, _ seed: UInt64, _ stack: RandomStack) throws {
        if holds { return }
        print("found \(what); seed \(seed), \(stack)")
        throw RefreshFailure()
    }

    /// Whether a result is one of a call that was not cancelled: the response, or the error of a limit or of a refresh.
    private func isOfNoCancel(_ result: Result<HTTPResponse, any Error>, _ stack: RandomStack) -> Bool {
        switch result {
        case .success(let response): response.status == 200 && response.body == Data("[1]".utf8)
        case .failure(is CircuitOpenError): stack.has("circuit")
        case .failure(is AuthenticationError): stack.has("authentication")
        case .failure(let error as TransportError):
            error.kind == .timedOut && (stack.has("deadline") || stack.has("attemptDeadline"))
        case .failure: false
        }
    }

    private func isDocumented(_ error: any Error) -> Bool {
        error is CancellationError || error is TransportError || error is CircuitOpenError
            || error is AuthenticationError
    }
}
#endif
