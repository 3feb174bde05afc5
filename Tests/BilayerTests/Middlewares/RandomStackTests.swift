import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Random orders and subsets of the middlewares around a server with random outcomes, for several callers at once, some
/// of whom are cancelled. `BILAYER_STACKS=20000 swift test --filter RandomStackTests` makes so many stacks,
/// `BILAYER_SEED` repeats one.
@Suite("Random stacks of middlewares", .timeLimit(.minutes(30)))
struct RandomStackTests {
    @Test func everyCallEndsOnceWithAnOutcomeOfItsOwn() async throws {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["BILAYER_SEED"].flatMap({ UInt64($0) }) {
            for _ in 0..<50 { await StackRun(seed: seed).check() }
            return
        }
        let first = UInt64.random(in: 0...UInt64.max)
        for number in 0..<(environment["BILAYER_STACKS"].flatMap { Int($0) } ?? 250) {
            await StackRun(seed: first &+ UInt64(number)).check()
        }
    }
}

/// One stack and its calls.
private struct StackRun {
    let seed: UInt64

    func check() async {
        var random = SplitMix64(seed: seed)
        let clock = TestClock()
        let server = RandomServer(seed: random.next())
        let stack = RandomStack(around: server.transport, clock: clock, &random)
        // Finds a call that waits for ever.
        let watch = Task { [seed] in
            try await Task.sleep(for: .seconds(180))
            Issue.record("a call does not end; seed \(seed), \(stack)")
        }
        defer { watch.cancel() }
        // In some runs the clock stops after a few steps. Calls that are cancelled must end without it.
        let stops = random.next(below: 4) == 0
        let time = Task { [pauses = random.next(below: 12)] in
            var steps = 0
            while !stops || steps < 6 {
                for _ in 0..<pauses { await Task.yield() }
                try await clock.advanceToNextSleeper()
                steps += 1
            }
        }
        let plans = (0..<(2 + random.next(below: 6))).map { CallPlan(number: $0, cancels: stops, &random) }
        await withTaskGroup { group in
            for plan in plans {
                group.addTask { await self.run(plan, stack, server, clock) }
            }
        }
        for cache in stack.caches {
            // A validation may wait for the stopped clock.
            if stops { cache.cancelRefreshes() }
            await cache.settle()
        }
        time.cancel()
        _ = await time.result
        // A refresh whose callers have left goes on. It may wait for the stopped clock, too.
        let refreshes = stack.tokens.reduce(0) { $0 + $1.running }
        expect(clock.sleepers <= refreshes, "sleepers remain", stack)
        expect(stack.deduplications.allSatisfy { $0.waiting == 0 }, "waiters of a deduplication remain", stack)
        expect(stack.tokens.allSatisfy { $0.waiting == 0 }, "waiters of tokens remain", stack)
        expect(stack.caches.allSatisfy { $0.engine.keeper.inProgress.count == 0 }, "exchanges of a cache remain", stack)
        expect(server.breaches.isEmpty, "\(server.breaches)", stack)
        await probe(stack, server, clock)
    }

    /// No place is lost: further calls end, too.
    private func probe(_ stack: RandomStack, _ server: RandomServer, _ clock: TestClock) async {
        server.becomeFine()
        let time = Task { while true { try await clock.advanceToNextSleeper() } }
        await withTaskGroup { group in
            for number in 100..<104 {
                group.addTask {
                    await self.run(CallPlan(probe: number), stack, server, clock)
                }
            }
        }
        time.cancel()
        _ = await time.result
    }

    private func run(_ plan: CallPlan, _ stack: RandomStack, _ server: RandomServer, _ clock: TestClock) async {
        let observer = EventLog()
        var client = Client(baseURL: RandomServer.eu, transport: stack.node, clock: clock)
        client.observer = observer
        client.options = plan.options
        client.request.append { request, _ in plan.withBody(request) }
        let call = Task { [client] in
            do {
                let answer = try await client.send(plan.route)
                return Result<Answer<Json>, any Error>.success(answer)
            } catch {
                return .failure(error)
            }
        }
        if let yields = plan.yieldsBeforeCancel {
            for _ in 0..<yields { await Task.yield() }
            call.cancel()
        }
        let result = await call.value
        switch result {
        case .success(let answer): check(answer, plan, server, stack)
        case .failure(let error): check(error, plan, server, stack)
        }
        check(observer.events, result, plan, stack)
    }

    // MARK: What must hold

    private func check(_ answer: Answer<Json>, _ plan: CallPlan, _ server: RandomServer, _ stack: RandomStack) {
        guard let response = answer.response else { return expect(false, "\(plan): no response", stack) }
        expect(response.status.isSuccess && !response.body.isEmpty, "\(plan): an empty success", stack)
        expect(answer.value["path"]?.string == plan.path, "\(plan): \(answer.value)", stack)
        expect(answer.value["user"]?.string == plan.user, "\(plan): \(answer.value)", stack)
        expect(server.isOwn(response, of: plan), "\(plan): the response of another request", stack)
    }

    private func check(_ error: any Error, _ plan: CallPlan, _ server: RandomServer, _ stack: RandomStack) {
        let texts = ["\(error)", String(reflecting: error), error.localizedDescription]
        expect(!texts.contains { $0.contains(RandomServer.secret) }, "\(plan): \(texts)", stack)
        if error is CancellationError {
            return expect(plan.yieldsBeforeCancel != nil, "\(plan): a cancel that nobody made", stack)
        }
        guard let error = error as? CallError else { return expect(false, "\(plan): \(type(of: error))", stack) }
        if let request = error.request {
            let path = request.url.path()
            let isOwn = path.hasSuffix("/" + plan.path) || path.contains("/moved/")
            expect(isOwn, "\(plan): request \(request.url)", stack)
        }
        switch error.underlyingError {
        case let fault as TransportError:
            let isDocumented = RandomServer.ownFaults.contains { fault.description.contains($0) }
            expect(isDocumented || server.isOwn(fault, of: plan), "\(plan): \(fault)", stack)
        case is StatusError:
            let isOwn = error.response.map { server.isOwn($0, of: plan) } ?? false
            expect(isOwn, "\(plan): \(error)", stack)
        case is CircuitOpenError: expect(stack.has("circuit"), "\(plan): \(error)", stack)
        case let failure as AuthenticationError:
            expect(stack.has("authentication"), "\(plan): \(error)", stack)
            if let cause = failure.underlyingError { expect(cause is RefreshFailure, "\(plan): \(cause)", stack) }
        case is CacheMissError:
            expect(plan.options[CachePolicy.self] == .cacheOnly, "\(plan): \(error)", stack)
        default: expect(false, "\(plan): \(error)", stack)
        }
    }

    private func check(
        _ events: [CallEvent.Kind],
        _ result: Result<Answer<Json>, any Error>,
        _ plan: CallPlan,
        _ stack: RandomStack
    ) {
        let texts = events.map(\.description)
        expect(!texts.contains { $0.contains(RandomServer.secret) }, "\(plan): \(texts)", stack)
        let counts = EventCounts(events)
        expect(counts.began == 1 && counts.ended == 1, "\(plan): \(texts)", stack)
        if case .began? = events.first {} else { expect(false, "\(plan): begins with \(texts)", stack) }
        if case .ended(_, let failure)? = events.last {
            let isFailure = if case .failure = result { true } else { false }
            expect((failure != nil) == isFailure, "\(plan): ends with \(texts)", stack)
        } else {
            expect(false, "\(plan): does not end with the end: \(texts)", stack)
        }
        // The request that follows a redirect belongs to the same exchange.
        let sent = counts.sent - counts.redirected
        let ended = counts.received + counts.lost
        // A call that leaves a shared request has no further events of it.
        let mayLeave = stack.has("deduplication")
        expect(ended == sent || mayLeave && ended <= sent, "\(plan): \(sent) sent, \(ended) ended: \(texts)", stack)
    }

    private func expect(_ holds: Bool, _ text: @autoclosure () -> String, _ stack: RandomStack) {
        if !holds { Issue.record("\(text()); seed \(seed), \(stack)") }
    }
}

private struct EventCounts {
    var began = 0, ended = 0, sent = 0, redirected = 0, received = 0, lost = 0

    init(_ events: [CallEvent.Kind]) {
        for event in events {
            switch event {
            case .began: began += 1
            case .ended: ended += 1
            case .sent(let request):
                sent += 1
                if request.url.path().contains("/moved/") { redirected += 1 }
            case .received: received += 1
            case .lost: lost += 1
            case .note, .stageEnded: break
            }
        }
    }
}

private final class EventLog: CallObserver {
    private let log = Locked<[CallEvent.Kind]>([])

    var events: [CallEvent.Kind] { log.withLock { $0 } }

    func observe(_ event: CallEvent, in call: CallContext) { log.withLock { $0.append(event.kind) } }
}
