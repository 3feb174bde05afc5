/// Measures the time on a clock since its start. The time is a `Duration`, so times on clocks of different types can be
/// stored and compared.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// Starts the stopwatch.
    init(_ clock: any Clock<Duration>) {
        read = elapsedTime(on: clock)
    }

    /// The time since the start.
    var elapsed: Duration { read() }
}

private func elapsedTime<Time: Clock<Duration>>(on clock: Time) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
