/// Runs a case. It checks every engine's result, and counts allocations in a separate run. If the case is timed, it
/// then times the engines in turn, round after round. Each round starts with the next engine, so that disturbances of
/// the machine affect all engines.
struct Harness {
    let rounds: Int
    let progress: Progress

    func measure(_ task: Case) async throws -> [Measurement] {
        for contender in task.contenders where try await !contender.isRight() {
            throw WrongResult(path: task.path(of: contender))
        }
        var allocations: [AllocationCount?] = []
        for contender in task.contenders {
            allocations.append(try await AllocationCount.counting { try await contender.run(1) })
        }
        let resultBlocks = try task.resultBlocks?()
        let times = task.isTimed ? try await time(task) : []
        return task.contenders.indices.map { index in
            measurement(of: task, index, times: times, allocations: allocations[index], resultBlocks: resultBlocks)
        }
    }

    /// Returns the nanoseconds of each contender (outer array) in each round (inner array).
    private func time(_ task: Case) async throws -> [[Double]] {
        var stopwatches: [Stopwatch] = []
        for contender in task.contenders {
            stopwatches.append(try await Stopwatch(warmingUp: contender, clock: task.clock))
        }
        var times = [[Double]](repeating: [], count: stopwatches.count)
        for round in 0..<rounds {
            progress.show("\(task.suite.rawValue) \(task.corpus), round \(round + 1) of \(rounds)")
            for turn in stopwatches.indices {
                let index = (round + turn) % stopwatches.count
                times[index].append(try await stopwatches[index].takeSample())
            }
        }
        return times
    }

    private func measurement(
        of task: Case,
        _ index: Int,
        times: [[Double]],
        allocations: AllocationCount?,
        resultBlocks: Int?
    ) -> Measurement {
        let engine = task.contenders[index].engine
        var row = Row(suite: task.suite.rawValue, corpus: task.corpus, engine: engine.rawValue)
        row.mallocs = allocations?.calls
        row.peakBytes = allocations?.peakBytes
        var ratios: [Double] = []
        if task.isTimed {
            let nanoseconds = median(of: times[index])
            row.medianNanoseconds = nanoseconds
            row.megabytesPerSecond = Double(task.byteCount) * 1e3 / nanoseconds
            if let foundation = task.contenders.firstIndex(where: { $0.engine == .foundation }) {
                ratios = zip(times[foundation], times[index]).map { $0 / $1 }
                row.ratioToFoundation = median(of: ratios)
            }
        }
        return Measurement(
            row: row,
            ratioSpread: ratios.isEmpty ? nil : spread(of: ratios),
            resultBlocks: resultBlocks
        )
    }
}

/// An engine's result is wrong, so its time would not be comparable.
struct WrongResult: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "\(path): the result differs from Foundation's"
    }
}
