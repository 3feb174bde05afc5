import BenchmarkProbes

/// What one run takes from the heap.
struct AllocationCount {
    let calls: Int
    /// Most live bytes above those before the run, the result included.
    let peakBytes: Int

    /// Nil where this platform offers no way to count.
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
