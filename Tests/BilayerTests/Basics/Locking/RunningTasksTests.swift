import Testing

@testable import Bilayer

@Suite("RunningTasks: one task for each id, cancelled and awaited together")
struct RunningTasksTests {
    private let tasks = RunningTasks<String>()
    private let gate = Locked(false)

    /// Starts a task that runs until the gate is open or it is cancelled, and returns whether it started.
    private func start(_ id: String) -> Bool {
        let gate = gate
        return tasks.start(id) {
            while !gate.withLock({ $0 }), !Task.isCancelled { await Task.yield() }
        } != nil
    }

    @Test func anIdIsFreeAgainAfterTheEnd() async throws {
        #expect(start("a"))
        #expect(!start("a"))
        #expect(start("b"))
        gate.withLock { $0 = true }
        try await tasks.waitForEnd()
        #expect(start("a"))
        await tasks.settle()
    }

    @Test func theConditionSeesTheOthers() async {
        #expect(start("a"))
        let refused = tasks.start("b", where: { !$0.contains("a") }, work: { Issue.record("ran") })
        #expect(refused == nil)
        let started = tasks.start("b", where: { $0.count == 1 }, work: {})
        #expect(started != nil)
        tasks.cancelAll()
        await tasks.settle()
    }

    @Test func cancelEndsAll() async throws {
        #expect(start("a") && start("b"))
        tasks.cancelAll()
        try await tasks.waitForEnd()
    }

    @Test func theOwnerCancelsAll() async {
        var owner: RunningTasks<Int>? = RunningTasks()
        let task = owner?.start(1) { while !Task.isCancelled { await Task.yield() } }
        owner = nil
        await task?.value
        #expect(task?.isCancelled == true)
    }

    @Test("a cancelled wait leaves the tasks alone, a cancelled settling cancels them")
    func cancelledWait() async {
        #expect(start("a"))
        let wait = Task { try await tasks.waitForEnd() }
        await Task.yield()
        wait.cancel()
        await #expect(throws: CancellationError.self) { try await wait.value }
        #expect(!start("a"))
        let settling = Task { await tasks.settle() }
        settling.cancel()
        await settling.value
        #expect(start("a"))
        tasks.cancelAll()
        await tasks.settle()
    }

    @Test("a wait that is cancelled while the last task ends, ends once", .timeLimit(.minutes(5)))
    func race() async {
        for _ in 0..<1_000 {
            gate.withLock { $0 = false }
            #expect(start("a"))
            let wait = Task { try await tasks.waitForEnd() }
            async let cancel: Void = { wait.cancel() }()
            gate.withLock { $0 = true }
            await cancel
            if case .failure(let error) = await wait.result { #expect(error is CancellationError) }
            await tasks.settle()
        }
    }
}
