import BenchmarkProbes

/// Runs a contender between two marks at which an instruction counter writes down its totals. The first two runs are
/// not counted: they fill caches and make types known.
func countInstructions(of contender: Contender, iterations: Int) async throws {
    try await contender.run(2)
    probes_mark()
    try await contender.run(iterations)
    probes_mark()
}
