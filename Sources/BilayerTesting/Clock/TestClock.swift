import Bilayer

/// A clock that a test advances by hand, to test retry, deadlines and polling without waiting.
///
/// ```swift
/// let clock = TestClock()
/// let call = Task { try await client.fetch(.users) }         // a client with this clock, and with retry
/// #expect(try await clock.advanceToNextSleeper() <= .milliseconds(250))   // the first wait between two attempts
/// #expect(try await clock.advanceToNextSleeper() <= .milliseconds(500))   // the second
/// ```
/// A retry waits for a random part of its longest wait; one with the jitter `.none` waits exactly so long.
///
/// With a deadline in the chain there are two sleepers: the wait, and the deadline. ``advanceToNextSleeper(within:)``
/// waits for the one that is due first.
///
/// Only ``advance(by:)`` and the calls of `advanceToNextSleeper` change the time. They return at once, and the tasks
/// that they wake continue later. Wait for the next step of such a task (``waitForSleepers(count:)``, a request) before
/// the next change.
public final class TestClock: Clock, Sendable {
    /// A point on the clock's own time line.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the clock was made.
        public let offset: Duration

        /// The point a duration after this one.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// The duration from this point to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a point is before another.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

        /// The offset: `1.5 seconds`.
        public var description: String { offset.description }
    }

    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var nextSleeper = 0
        var queue = SleeperQueue<Instant, Sleeper>()

        /// The earliest deadline, if it is not further away than the limit.
        func earliest(within limit: Duration?) -> Instant? {
            guard let earliest = queue.earliest else { return nil }
            if let limit, now.duration(to: earliest) > limit { return nil }
            return earliest
        }
    }

    private let state = Watched(State())

    /// Makes a clock at time zero.
    public init() {}

    /// The current time of the clock.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: the clock has no minimal resolution.
    public let minimumResolution = Duration.zero

    /// Waits until the clock has reached the deadline.
    /// - Parameters:
    ///   - deadline: The time to wake up; returns at once if it has passed.
    ///   - tolerance: Ignored.
    /// - Throws: `CancellationError` when the task is cancelled before the deadline.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.withLock { state in
            defer { state.nextSleeper += 1 }
            return state.nextSleeper
        }
        try await state.wait { state, sleeper in
            if state.now >= deadline { return .ends(.success(())) }
            state.queue.insert(sleeper, id: id, until: deadline)
            return .waits()
        } leave: { state in
            // Removed here, so that no task sleeps any more when `cancel()` returns.
            state.queue.remove(id)
        }
    }

    /// The number of tasks that sleep on this clock.
    public var sleepers: Int { state.withLock { $0.queue.count } }

    /// Advances the time and wakes the tasks whose deadline it reaches.
    /// - Parameter duration: The duration to advance by, zero or more.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: max(duration, .zero))
            return state.queue.removeDue(at: state.now)
        }
        for sleeper in due { sleeper.resume() }
    }

    /// Waits until a task sleeps, then advances the time to the earliest deadline.
    /// - Returns: The duration that the time was advanced by.
    /// - Throws: `CancellationError` if the task is cancelled before another task sleeps.
    @discardableResult
    public func advanceToNextSleeper() async throws -> Duration { try await advanceToSleeper(within: nil) }

    /// Waits until a task sleeps that is due soon, then advances the time to its deadline, and never further than that.
    ///
    /// Choose it with a `Deadline`, which sleeps during the whole call. Without a limit the clock may find the deadline
    /// alone, before the next wait begins, and advance to it.
    ///
    /// ```swift
    /// client.options[Deadline.self] = Deadline(.seconds(30))
    /// let call = Task { try await client.fetch(.users) }                    // with retry
    /// #expect(try await clock.advanceToNextSleeper(within: .seconds(10)) <= .seconds(2))
    /// ```
    /// - Parameter limit: The longest wait that is expected, shorter than the deadline's rest.
    /// - Returns: The duration that the time was advanced by.
    /// - Throws: `CancellationError` if the task is cancelled before another task sleeps that is due within the limit.
    @discardableResult
    public func advanceToNextSleeper(within limit: Duration) async throws -> Duration {
        try await advanceToSleeper(within: limit)
    }

    private func advanceToSleeper(within limit: Duration?) async throws -> Duration {
        while true {
            try await state.wait { $0.earliest(within: limit) != nil ? () : nil }
            let moved: (Duration, [Sleeper])? = state.withLock { state in
                guard let earliest = state.earliest(within: limit) else { return nil }
                defer { state.now = earliest }
                return (state.now.duration(to: earliest), state.queue.removeDue(at: earliest))
            }
            // No task sleeps any more: it was cancelled, or woken by another call, in between.
            if let (duration, due) = moved {
                for sleeper in due { sleeper.resume() }
                return duration
            }
        }
    }

    /// Waits until at least that many tasks sleep on this clock at the same time.
    /// - Parameter count: The number of sleepers.
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func waitForSleepers(count: Int) async throws {
        try await state.wait { $0.queue.count >= count ? () : nil }
    }
}
