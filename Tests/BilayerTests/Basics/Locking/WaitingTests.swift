import Testing

@testable import Bilayer

@Suite("Waiting behind a lock: a cancel and a resume exclude each other")
struct WaitingTests {
    private struct State {
        var waiters: [Int: CheckedContinuation<Int, any Error>] = [:]
        var resumed = 0
    }

    private let state = Locked(State())

    private func wait(_ id: Int) async throws -> Int {
        try await state.wait { state, continuation in
            state.waiters[id] = continuation
            return .waits()
        } leave: { state in
            state.withLock { $0.waiters.removeValue(forKey: id) }
        }
    }

    private func waiter(_ id: Int) async {
        while state.withLock({ $0.waiters[id] == nil }) { await Task.yield() }
    }

    /// - Returns: Whether the waiter was there.
    @discardableResult
    private func resume(_ id: Int) -> Bool {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.resume(returning: id)
        return waiter != nil
    }

    @Test func aResumedWaitReturnsTheValue() async throws {
        let task = Task { try await wait(7) }
        await waiter(7)
        resume(7)
        #expect(try await task.value == 7)
    }

    @Test func aCancelledWaitThrowsAndLeaves() async {
        let task = Task { try await wait(1) }
        await waiter(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(state.withLock { $0.waiters.isEmpty })
    }

    @Test func aTaskThatIsCancelledBeforeDoesNotEnter() async {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await state.wait { _, _ -> WaitStart<Int> in
                Issue.record("entered")
                return .ends(.success(1))
            } leave: { _ in
                nil
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aWaitThatNeedsNoneEndsAtOnce() async throws {
        #expect(
            try await state.wait { _, _ in
                .ends(.success(3))
            } leave: { _ in
                nil
            } == 3
        )
    }

    @Test("what comes after the entry runs without the lock")
    func after() async throws {
        let task = Task {
            try await state.wait { state, continuation in
                state.waiters[1] = continuation
                return .waits { resume(1) }
            } leave: { state in
                state.withLock { $0.waiters.removeValue(forKey: 1) }
            }
        }
        #expect(try await task.value == 1)
    }

    /// A wait that ended twice would end the process; one that never ended would not let the test end.
    @Test("each wait ends once: with its value if its waiter was resumed, else by the cancel", .timeLimit(.minutes(5)))
    func race() async {
        for round in 0..<2_000 {
            let task = Task { try await wait(round) }
            if round.isMultiple(of: 2) { await waiter(round) }
            async let cancel: Void = { task.cancel() }()
            async let isResumed = resume(round)
            await cancel
            let wasThere = await isResumed
            switch await task.result {
            case .success(let value): #expect(wasThere && value == round, "round \(round)")
            case .failure(let error): #expect(!wasThere && error is CancellationError, "round \(round)")
            }
        }
        #expect(state.withLock { $0.waiters.isEmpty })
    }
}
