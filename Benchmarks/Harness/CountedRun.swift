import BenchmarkProbes

/// Runs a contender between two marks at which an instruction counter writes its totals. Two earlier runs are not
/// counted: they fill the caches of code and types.
func countInstructions(of contender: Contender, iterations: Int) async throws {
    try await contender.run(2)
    probes_mark()
    try await contender.run(iterations)
    probes_mark()
}
