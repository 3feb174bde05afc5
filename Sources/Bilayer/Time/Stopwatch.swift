/// The time on a clock since a moment: instants of clocks of any type as durations, which can be stored and compared.
struct Stopwatch: Sendable {
    private let read: @Sendable () -> Duration

    /// Starts now.
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
