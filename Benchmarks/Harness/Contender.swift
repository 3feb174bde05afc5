/// One engine at one task.
struct Contender {
    let engine: Engine
    /// Whether one run gives what Foundation gives. Never timed.
    let isRight: () async throws -> Bool
    /// Does the task this many times.
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

    /// A contender that repeats its task itself: `work` does it as many times as it is told and says whether all went
    /// right.
    init(engine: Engine, work: @escaping (Int) async throws -> Bool) {
        self.engine = engine
        self.isRight = { try await work(1) }
        self.run = { keep(try await work($0)) }
    }
}

/// A use of the value that the optimiser cannot look into.
@inline(never)
private func keep<Value>(_ value: Value) {}
