import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct TestClockTests {
    @Test func standsStillUntilMoved() {
        let clock = TestClock()
        let start = clock.now
        #expect(start.offset == .zero)
        clock.advance(by: .milliseconds(1500))
        clock.advance(by: .seconds(-1))  // time does not run back
        #expect(start.duration(to: clock.now) == .milliseconds(1500))
        #expect(start < clock.now)
    }

    @Test func wakesThoseThatAreDueAndNoOthers() async throws {
        let clock = TestClock()
        let soon = Task { try await clock.sleep(for: .seconds(1)) }
        let later = Task { try await clock.sleep(for: .seconds(3)) }
        try await clock.waitForSleepers(count: 2)

        clock.advance(by: .milliseconds(999))
        #expect(clock.sleepers == 2)
        clock.advance(by: .milliseconds(1))
        #expect(clock.sleepers == 1)
        try await soon.value

        later.cancel()
        #expect(clock.sleepers == 0)
        await #expect(throws: CancellationError.self) { try await later.value }
    }

    @Test func doesNotWaitForThePast() async throws {
        let clock = TestClock()
        try await clock.sleep(for: .zero)
        try await clock.sleep(for: .seconds(-1))
        #expect(clock.sleepers == 0)
    }

    @Test func refusesToSleepWhenCancelled() async {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await TestClock().sleep(for: .zero)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func goesFromSleeperToSleeper() async throws {
        let clock = TestClock()
        let worker = Task {
            for wait in [1, 2, 4] { try await clock.sleep(for: .seconds(wait)) }
        }
        var waits: [Duration] = []
        for _ in 0..<3 { waits.append(try await clock.advanceToNextSleeper()) }
        try await worker.value
        #expect(waits == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(clock.now.offset == .seconds(7))
    }

    /// Only the deadline sleeps before the advance starts. The shorter wait joins later, and is the one that is due.
    @Test func goesToTheSleeperThatIsDueWithinALimit() async throws {
        let clock = TestClock()
        let deadline = Task { try await clock.sleep(for: .seconds(30)) }
        try await clock.waitForSleepers(count: 1)
        let advanced = Task { try await clock.advanceToNextSleeper(within: .seconds(10)) }
        let wait = Task { try await clock.sleep(for: .seconds(5)) }
        #expect(try await advanced.value == .seconds(5))
        try await wait.value
        #expect(clock.now.offset == .seconds(5))
        #expect(clock.sleepers == 1)
        #expect(try await clock.advanceToNextSleeper(within: .seconds(25)) == .seconds(25))
        try await deadline.value
    }

    @Test func forgetsACancelledSleeperThatWasTheNext() async throws {
        let clock = TestClock()
        let soon = Task { try await clock.sleep(for: .seconds(1)) }
        let later = Task { try await clock.sleep(for: .seconds(3)) }
        try await clock.waitForSleepers(count: 2)
        soon.cancel()
        #expect(try await clock.advanceToNextSleeper(within: .seconds(3)) == .seconds(3))
        try await later.value
    }

    @Test func waitsOfARetryUnderADeadlineAreFound() async throws {
        let clock = TestClock()
        let stub = StubTransport(.status(503))
        stub.on(.get, "/draws", .status(503), .status(503), .json("7"))
        let policy = RetryPolicy.exponential(attempts: 3, firstWait: .seconds(2), jitter: .none)
        var client = Client(
            baseURL: URL("https://api.example.com"),
            transport: stub.wrapped(by: .retry(policy)),
            clock: clock
        )
        client.options[Deadline.self] = Deadline(.seconds(30))
        let call = Task { [client] in try await client.fetch(Route<Json>.get("draws")) }
        #expect(try await clock.advanceToNextSleeper(within: .seconds(10)) == .seconds(2))
        #expect(try await clock.advanceToNextSleeper(within: .seconds(10)) == .seconds(4))
        #expect(try await call.value == 7)
    }

    /// The cancels come before the wait and during it. If one is lost, the test hangs.
    @Test func waitingForASleeperWithinALimitCanBeCancelled() async throws {
        let clock = TestClock()
        let deadline = Task { try await clock.sleep(for: .seconds(30)) }
        try await clock.waitForSleepers(count: 1)
        for yields in 0..<100 {
            let waiting = Task { try await clock.advanceToNextSleeper(within: .seconds(10)) }
            for _ in 0..<yields { await Task.yield() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
        #expect(clock.now.offset == .zero)
        deadline.cancel()
    }

    @Test func waitingForSleepersCanBeCancelled() async {
        let clock = TestClock()
        for yields in 0..<100 {
            let waiting = Task { try await clock.waitForSleepers(count: 1) }
            for _ in 0..<yields { await Task.yield() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
        }
    }

    /// Cancel and advance race for each sleeper: it ends one way or the other, and none is left behind.
    @Test func losesNoSleeperInARace() async throws {
        let clock = TestClock()
        var (woken, cancelled) = (0, 0)
        for round in 0..<400 {
            let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
            if round.isMultiple(of: 2) { try await clock.waitForSleepers(count: 1) }
            async let advanced: Void = Task.detached { clock.advance(by: .seconds(1)) }.value
            async let stopped: Void = Task.detached { sleeper.cancel() }.value
            _ = await (advanced, stopped)
            do {
                try await sleeper.value
                woken += 1
            } catch is CancellationError {
                cancelled += 1
            }
            #expect(clock.sleepers == 0, "round \(round)")
        }
        #expect(woken + cancelled == 400)
    }

    @Test func wakesManyAtOnce() async throws {
        let clock = TestClock()
        try await withThrowingTaskGroup { group in
            for index in 0..<500 { group.addTask { try await clock.sleep(for: .milliseconds(index + 1)) } }
            try await clock.waitForSleepers(count: 500)
            clock.advance(by: .milliseconds(250))
            #expect(clock.sleepers == 250)
            clock.advance(by: .milliseconds(250))
            try await group.waitForAll()
        }
        #expect(clock.sleepers == 0)
    }
}
