import BenchmarkProbes

/// Times a contender in batches long enough for the clock, and takes the median of the batches.
struct Stopwatch {
    private static let shortestBatch = 1e6
    private static let sample = 30e6

    private let contender: Contender
    private let clock: Clock
    private let batchSize: Int

    /// What goes by while a contender runs.
    enum Clock {
        /// Processor time. On a busy machine the real time of a long run holds other processes' turns and that of a
        /// short one does not, which would flatter whoever is fast.
        case processor
        /// Real time, for work on several cores.
        case wall
    }

    /// Runs the contender until it is warm, and finds out how many runs fill a batch.
    init(warmingUp contender: Contender, clock: Clock) async throws {
        self.contender = contender
        self.clock = clock
        var runs = 1
        var taken = try await clock.nanoseconds { try await contender.run(runs) }
        while taken < Self.shortestBatch {
            runs *= 2
            taken = try await clock.nanoseconds { try await contender.run(runs) }
        }
        batchSize = runs
    }

    /// Nanoseconds of one run.
    func takeSample() async throws -> Double {
        var total = 0.0
        var batches: [Double] = []
        repeat {
            let taken = try await clock.nanoseconds { try await contender.run(batchSize) }
            total += taken
            batches.append(taken / Double(batchSize))
        } while total < Self.sample
        return median(of: batches)
    }
}

extension Stopwatch.Clock {
    fileprivate func nanoseconds(of work: () async throws -> Void) async rethrows -> Double {
        switch self {
        case .processor:
            let start = probes_processor_nanoseconds()
            try await work()
            return Double(probes_processor_nanoseconds() - start)
        case .wall:
            let clock = ContinuousClock()
            let taken = try await clock.measure { try await work() }
            return Double(taken.components.seconds) * 1e9 + Double(taken.components.attoseconds) / 1e9
        }
    }
}
