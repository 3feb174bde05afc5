import Dispatch
import Foundation
import Testing

/// Runs a test on a thread with a stack of 512 KB. On Apple's systems, this is the default for threads other than the
/// main thread.
///
/// It applies to every test of a suite, also to synchronous ones. Before macOS 15 there are no task executors: tests
/// run on their usual threads, whose stacks have this size there.
struct SmallStackTrait: TestTrait, SuiteTrait, TestScoping {
    static let stackBytes = 512 * 1024

    var isRecursive: Bool { true }

    @concurrent
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil, #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else {
            return try await function()
        }
        try await withTaskExecutorPreference(SmallStackExecutor.shared, operation: function)
    }
}

extension Trait where Self == SmallStackTrait {
    /// Runs the test on a thread with a stack of 512 KB.
    static var smallStack: Self { SmallStackTrait() }
}

/// Runs jobs on two threads with small stacks.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
// Sendable: `jobs` is only touched with the condition's lock held.
private final class SmallStackExecutor: TaskExecutor, @unchecked Sendable {
    static let shared = SmallStackExecutor()

    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []

    private init() {
        for _ in 0..<2 {
            let thread = Thread { [unowned self] in run() }
            thread.stackSize = SmallStackTrait.stackBytes
            thread.start()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock { jobs.append(job) }
        condition.signal()
    }

    private func run() {
        while true {
            condition.lock()
            while jobs.isEmpty { condition.wait() }
            let job = jobs.removeFirst()
            condition.unlock()
            unsafe job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Runs a body on a thread with a stack of this size, and waits for it.
func onStack<Value: Sendable>(ofBytes bytes: Int, _ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let finished = DispatchSemaphore(value: 0)
    let result = ThreadResult<Value>()
    let thread = Thread {
        result.value = Result(catching: body)
        finished.signal()
    }
    thread.stackSize = bytes
    thread.start()
    finished.wait()
    return try #require(result.value).get()
}

// Sendable: written by one thread before the semaphore is signalled, and read by the other after that.
private final class ThreadResult<Value>: @unchecked Sendable {
    var value: Result<Value, any Error>?
}
