/// Times a contender in batches long enough for the clock, and takes the median of the batches: a batch in which another
/// process had the core does not count.
struct Stopwatch {
    private static let shortestBatch = Duration.milliseconds(1)
    private static let sample = Duration.milliseconds(30)

    private let contender: Contender
    private let batchSize: Int

    /// Runs the contender until it is warm, and finds out how many runs fill a batch.
    init(warmingUp contender: Contender) async throws {
        self.contender = contender
        var runs = 1
        var taken = try await Self.time(contender, runs: runs)
        while taken < Self.shortestBatch {
            runs *= 2
            taken = try await Self.time(contender, runs: runs)
        }
        batchSize = runs
    }

    /// Nanoseconds of one run.
    func takeSample() async throws -> Double {
        var total = Duration.zero
        var batches: [Double] = []
        repeat {
            let taken = try await Self.time(contender, runs: batchSize)
            total += taken
            batches.append(taken.nanoseconds / Double(batchSize))
        } while total < Self.sample
        return median(of: batches)
    }

    private static func time(_ contender: Contender, runs: Int) async throws -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        try await contender.run(runs)
        return start.duration(to: clock.now)
    }
}

extension Duration {
    fileprivate var nanoseconds: Double {
        Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9
    }
}
