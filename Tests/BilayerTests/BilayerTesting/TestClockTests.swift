import BilayerTesting
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

    @Test func waitingForSleepersCanBeCancelled() async {
        let clock = TestClock()
        let waiting = Task { try await clock.waitForSleepers(count: 1) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
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
