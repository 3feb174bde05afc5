import BenchmarkProbes

/// Times a contender in batches long enough for the clock, and takes the median of the batches.
struct Stopwatch {
    private static let shortestBatch = 1e6
    private static let sample = 30e6

    private let contender: Contender
    private let clock: Clock
    private let batchSize: Int

    /// The time that is measured while a contender runs.
    enum Clock {
        /// The processor time of the process. On a busy machine, the real time of a long run includes the turns of
        /// other processes. That of a short run does not, so real time would favour the fast engines.
        case processor
        /// The real time, for work on several cores or with changes of threads.
        case wall
    }

    /// Runs the contender until a batch is long enough to be measured, and uses this number of runs as the batch size.
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

    /// Returns the nanoseconds of one run.
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
