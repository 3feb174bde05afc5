extension Clock where Duration == Swift.Duration {
    /// Waits for a duration, but at most ten years. The standard library's clocks end the process for an instant that
    /// they cannot represent. Because of this maximum, `Duration.seconds(Int64.max)` can mean "no time limit".
    func pause(for duration: Swift.Duration) async throws {
        try await sleep(for: min(duration, .seconds(315_360_000)))
    }
}
