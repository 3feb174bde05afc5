/// A clock whose time stands still until a test moves it: retry, deadlines and polling are tested without waiting.
///
/// ```swift
/// let clock = TestClock()
/// let call = Task { try await client.fetch(.users) }         // a client with this clock, and with retry
/// #expect(try await clock.advanceToNextSleeper() == .seconds(1))   // the first wait between two attempts
/// #expect(try await clock.advanceToNextSleeper() == .seconds(2))   // the second
/// ```
///
/// Time moves only by ``advance(by:)`` and ``advanceToNextSleeper()``, which return at once: whoever was woken goes on
/// later, on its own. Wait for what it does next (``waitForSleepers(count:)``, a request) before the next move.
public final class TestClock: Clock, Sendable {
    /// A point on the clock's own time line.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the clock was made.
        public let offset: Duration

        /// The point that lies a duration after this one.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The duration from this point to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a point lies before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

        /// The offset: `1.5 seconds`.
        public var description: String { offset.description }
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var nextSleeper = 0
        var deadlines: [Int: Instant] = [:]

        /// When each sleeper wakes that is not due yet; one that is due has been woken and is on its way.
        var pending: [Instant] { deadlines.values.filter { $0 > now } }
    }

    private let state = Watched(State())

    /// Makes a clock that stands at zero.
    public init() {}

    /// Where the clock stands.
    public var now: Instant { state.withLock { $0.now } }

    /// No time is too short for this clock.
    public let minimumResolution = Duration.zero

    /// Waits until the clock is moved to the deadline or past it.
    /// - Parameters:
    ///   - deadline: When to wake up; one that has passed is not waited for.
    ///   - tolerance: Ignored: the clock stands exactly where the test puts it.
    /// - Throws: `CancellationError` when the task is cancelled before the deadline.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let sleeper = state.withLock { state in
            defer { state.nextSleeper += 1 }
            return state.nextSleeper
        }
        defer { state.withLock { $0.deadlines[sleeper] = nil } }
        try await withTaskCancellationHandler {
            state.withLock { if !Task.isCancelled { $0.deadlines[sleeper] = deadline } }
            try await state.wait { $0.now >= deadline ? () : nil }
        } onCancel: {
            // Here and not only at the end, so that a cancelled sleeper is gone when `cancel()` returns.
            state.withLock { $0.deadlines[sleeper] = nil }
        }
    }

    /// How many tasks sleep on this clock.
    public var sleepers: Int { state.withLock { $0.pending.count } }

    /// Moves the time on and wakes everybody whose deadline has come.
    /// - Parameter duration: How far to move, zero or more: time does not run back.
    public func advance(by duration: Duration) {
        state.withLock { $0.now = $0.now.advanced(by: max(duration, .zero)) }
    }

    /// Waits until somebody sleeps, then moves the time on to the earliest deadline.
    /// - Returns: How far the time was moved.
    /// - Throws: `CancellationError` when the task is cancelled before anybody sleeps.
    @discardableResult
    public func advanceToNextSleeper() async throws -> Duration {
        while true {
            try await waitForSleepers(count: 1)
            let moved: Duration? = state.withLock { state in
                guard let earliest = state.pending.min() else { return nil }
                defer { state.now = earliest }
                return state.now.duration(to: earliest)
            }
            // Nobody sleeps any more: cancelled, or woken by somebody else, in between.
            if let moved { return moved }
        }
    }

    /// Waits until at least that many tasks sleep on this clock at the same time.
    /// - Parameter count: The number of sleepers.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForSleepers(count: Int) async throws {
        try await state.wait { $0.pending.count >= count ? () : nil }
    }
}
