import Bilayer
import BilayerTesting
import Foundation
import Testing

private func request(_ name: String, host: String = "api.example.com") -> HTTPRequest {
    HTTPRequest(url: URL(string: "https://\(host)/\(name)") ?? URL("https://none.example"))
}

private func context(_ priority: CallPriority?) -> CallContext {
    var options = CallOptions()
    options[CallPriority.self] = priority
    return CallContext(options: options)
}

extension CallContext {
    /// Whether the call has an event that says that it waits for a place.
    fileprivate var isToldToWait: Bool { events.contains { $0.text.hasPrefix("waits for one of") } }
}

extension [CallContext] {
    fileprivate var waiting: Int { count(where: \.isToldToWait) }
}

/// Holds every request until it is let go, and counts those in flight.
private actor Turnstile {
    private var waiters: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []
    private(set) var order: [String] = []
    private(set) var most = 0

    func pass(_ name: String) async {
        order.append(name)
        await withCheckedContinuation {
            waiters.append((name, $0))
            most = max(most, waiters.count)
        }
    }

    func letOneGo() -> Bool {
        guard !waiters.isEmpty else { return false }
        waiters.removeFirst().continuation.resume()
        return true
    }
}

private func transport(
    _ turnstile: Turnstile,
    _ limit: ConcurrencyLimit
) -> some Node<HTTPRequest, HTTPResponse> {
    let inner = AnyNode<HTTPRequest, HTTPResponse> { request, _ in
        await turnstile.pass(request.url.lastPathComponent)
        return HTTPResponse(status: 200)
    }
    return inner.wrapped(by: limit)
}

@Suite("ConcurrencyLimit: places at a host", .timeLimit(.minutes(5)))
struct ConcurrencyLimitTests {
    @Test func noMoreThanTheLimitAreInFlight() async throws {
        let turnstile = Turnstile()
        let transport = transport(turnstile, ConcurrencyLimit(perHost: 3))
        let contexts = (0..<60).map { _ in CallContext() }
        let calls = contexts.enumerated()
            .map { number, context in
                Task { try await transport.process(request("\(number)"), in: context) }
            }
        // Each call is in flight or waits.
        while await turnstile.order.count + contexts.waiting < 60 { await Task.yield() }
        for gone in 1...60 {
            while await !turnstile.letOneGo() { await Task.yield() }
            while await turnstile.order.count < min(60, 3 + gone) { await Task.yield() }
        }
        for call in calls { #expect(try await call.value.status == 200) }
        #expect(await turnstile.most == 3)
    }

    @Test func hostsDoNotWaitForEachOther() async throws {
        let turnstile = Turnstile()
        let transport = transport(turnstile, ConcurrencyLimit(perHost: 1))
        let hosts = ["a.example", "b.example", "a.example:8443", "A.example"]
        let contexts = hosts.map { _ in CallContext() }
        let calls = zip(hosts, contexts)
            .map { host, context in
                Task { try await transport.process(request("x", host: host), in: context) }
            }
        while await turnstile.order.count + contexts.waiting < 4 { await Task.yield() }
        #expect(await turnstile.order.count == 3)
        var gone = 0
        while gone < 4 { if await turnstile.letOneGo() { gone += 1 } else { await Task.yield() } }
        for call in calls { _ = try await call.value }
    }

    @Test func aCancelledCallLeavesTheQueue() async throws {
        let turnstile = Turnstile()
        let transport = transport(turnstile, ConcurrencyLimit(perHost: 1))
        let contexts = (0..<3).map { _ in CallContext() }
        let first = Task { try await transport.process(request("first"), in: contexts[0]) }
        while await turnstile.order.isEmpty { await Task.yield() }
        let second = Task { try await transport.process(request("second"), in: contexts[1]) }
        while !contexts[1].isToldToWait { await Task.yield() }
        let third = Task { try await transport.process(request("third"), in: contexts[2]) }
        while !contexts[2].isToldToWait { await Task.yield() }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        while await !turnstile.letOneGo() { await Task.yield() }
        _ = try await first.value
        while await !turnstile.letOneGo() { await Task.yield() }
        _ = try await third.value
        #expect(await turnstile.order == ["first", "third"])
    }

    /// Calls come and leave at random; no place is lost, and none is taken twice.
    @Test(arguments: 0..<60) func randomCancelsLoseNoPlace(seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let flights = Flights()
        let inner = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
            await flights.begin()
            for _ in 0..<5 { await Task.yield() }
            await flights.end()
            return HTTPResponse(status: 200)
        }
        let transport = inner.wrapped(by: .concurrency(perHost: 2))
        var calls: [Task<HTTPResponse, any Error>] = []
        for number in 0..<60 {
            let priority = CallPriority(rawValue: random.next(below: 3))
            calls.append(Task { try await transport.process(request("\(number)"), in: context(priority)) })
            if random.next(below: 2) == 0 { calls[random.next(below: calls.count)].cancel() }
            for _ in 0..<random.next(below: 4) { await Task.yield() }
        }
        for call in calls {
            if case .failure(let error) = await call.result { #expect(error is CancellationError, "seed \(seed)") }
        }
        #expect(await flights.most <= 2, "seed \(seed)")
        // Both places are free again.
        for _ in 0..<2 { #expect(try await transport.process(request("last")).status == 200) }
    }
}

private actor Flights {
    private var now = 0
    private(set) var most = 0

    func begin() {
        now += 1
        most = max(most, now)
    }

    func end() { now -= 1 }
}
