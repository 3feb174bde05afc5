import BenchmarkProbes

/// The heap allocations of a run.
struct AllocationCount {
    let calls: Int
    /// The highest number of live bytes during the run, minus those before it. Includes the result.
    let peakBytes: Int

    /// Counts the allocations of some work. Returns `nil` if they cannot be counted on this platform.
    static func counting(_ work: () async throws -> Void) async rethrows -> AllocationCount? {
        guard probes_can_count_allocations() else {
            try await work()
            return nil
        }
        probes_start_counting()
        defer { _ = probes_stop_counting() }
        try await work()
        let count = probes_stop_counting()
        return AllocationCount(calls: count.calls, peakBytes: count.peak_bytes)
    }
}
