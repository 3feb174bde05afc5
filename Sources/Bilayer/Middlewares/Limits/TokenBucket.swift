/// A number of tokens that grows with time up to a limit. A caller that takes one that is not there yet is told how long
/// to wait for it, so callers are served in the order in which they came.
struct TokenBucket: Sendable {
    private let interval: Duration
    private let burst: Int
    /// When the bucket would have been full, if nobody had taken a token.
    private var fullAt = Duration.zero

    /// - Parameters:
    ///   - interval: The time in which one token comes.
    ///   - burst: The most tokens, which are there at the start.
    init(interval: Duration, burst: Int) {
        self.interval = max(interval, .zero)
        self.burst = max(burst, 1)
    }

    /// Takes a token.
    /// - Returns: The wait for it, zero if it is there.
    mutating func take(at time: Duration) -> Duration {
        fullAt = max(fullAt, time) + interval
        return max(fullAt - time - interval * burst, .zero)
    }

    /// Gives a token back that was not used.
    mutating func giveBack() { fullAt -= interval }
}
