/// An engine and its way to perform a task.
struct Contender {
    let engine: Engine
    /// Whether the result of one run is right. Most cases compare it with Foundation's result. This check is not timed.
    let isRight: () async throws -> Bool
    /// Performs the task a number of times.
    let run: (Int) async throws -> Void

    init<Result>(
        _ engine: Engine,
        _ task: @escaping () throws -> Result,
        isRight: @escaping (Result) throws -> Bool
    ) {
        self.engine = engine
        self.isRight = { try isRight(task()) }
        self.run = { count in
            for _ in 0..<count { keep(try task()) }
        }
    }

    init<Result>(
        _ engine: Engine,
        asynchronously task: @escaping () async throws -> Result,
        isRight: @escaping (Result) throws -> Bool
    ) {
        self.engine = engine
        self.isRight = { try isRight(await task()) }
        self.run = { count in
            for _ in 0..<count { keep(try await task()) }
        }
    }

    /// Makes a contender that repeats its task itself. `work` performs the task the given number of times, and returns
    /// whether all results are right.
    init(engine: Engine, work: @escaping (Int) async throws -> Bool) {
        self.engine = engine
        self.isRight = { try await work(1) }
        self.run = { keep(try await work($0)) }
    }
}

/// Uses a value in a function that is never inlined, so that the optimiser cannot remove the computation of the value.
@inline(never)
private func keep<Value>(_ value: Value) {}
