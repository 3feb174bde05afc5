extension Clock where Duration == Swift.Duration {
    /// Waits; ten years at most, because the clocks of the standard library end the process at a time that they do not
    /// have. `Duration.seconds(Int64.max)` then is what it is meant to be: no limit.
    func pause(for duration: Swift.Duration) async throws {
        try await sleep(for: min(duration, .seconds(315_360_000)))
    }
}
