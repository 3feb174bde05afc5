import Bilayer

/// A clock that a test advances by hand. With this clock, tests of retry, deadlines and polling take no real time.
///
/// ```swift
/// let clock = TestClock()
/// let call = Task { try await client.fetch(.users) }         // a client with this clock, and with retry
/// #expect(try await clock.advanceToNextSleeper() <= .milliseconds(250))   // the first wait between two attempts
/// #expect(try await clock.advanceToNextSleeper() <= .milliseconds(500))   // the second
/// ```
/// A retry waits for a random duration up to the longest wait of the attempt. With the jitter `.none`, it waits exactly
/// that long.
///
/// During a wait, a call with a deadline has two sleepers: the wait and the deadline. To advance to the end of the
/// wait, use ``advanceToNextSleeper(within:)``.
///
/// Only ``advance(by:)`` and the two `advanceToNextSleeper` methods change the time. They can return before the tasks
/// that they wake have continued. So before you change the time again, wait for the next step of such a task: with
/// ``waitForSleepers(count:)``, or for a request.
public final class TestClock: Clock, Sendable {
    /// A point in time of the clock.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The duration from the start of the clock to this point.
        public let offset: Duration

        /// Returns the point that is a duration after this point.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

        /// Returns the duration from this point to another point.
        public func duration(to other: Instant) -> Duration { other.offset - offset }

        /// Whether a point is before another point.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }

        /// The offset as text: `1.5 seconds`.
        public var description: String { offset.description }
    }

    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var nextSleeper = 0
        var queue = SleeperQueue<Instant, Sleeper>()

        /// Returns the earliest deadline; `nil` if no task sleeps, or if the deadline is further away than the limit.
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

    /// Zero, because the clock can measure any duration.
    public let minimumResolution = Duration.zero

    /// Waits until the clock reaches the deadline.
    /// - Parameters:
    ///   - deadline: The time at which to wake up. If it has passed, the method returns at once.
    ///   - tolerance: Ignored.
    /// - Throws: `CancellationError` if the task is cancelled before the call or during the wait.
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
            // The sleeper is removed during the cancellation, so that `sleepers` does not include it when `cancel()`
            // returns.
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

    /// Waits until a task sleeps, then advances the time to the earliest deadline of all sleeping tasks.
    /// - Returns: The duration that the time was advanced by.
    /// - Throws: `CancellationError` if the task is cancelled before another task sleeps.
    @discardableResult
    public func advanceToNextSleeper() async throws -> Duration { try await advanceToSleeper(within: nil) }

    /// Waits until a task sleeps whose deadline is at most `limit` away. Then advances the time to this deadline and no
    /// further.
    ///
    /// Use this method for a call with a `Deadline` or an `AttemptDeadline`. A deadline sleeps during the whole call or
    /// attempt, so before a wait begins, only the deadline sleeps. Without a limit, the clock could then advance to the
    /// deadline.
    ///
    /// ```swift
    /// client.options[Deadline.self] = Deadline(.seconds(30))
    /// let call = Task { try await client.fetch(.users) }                    // with retry
    /// #expect(try await clock.advanceToNextSleeper(within: .seconds(10)) <= .seconds(2))
    /// ```
    /// - Parameter limit: The longest wait to expect. It must be shorter than the remaining time of each deadline.
    /// - Returns: The duration that the time was advanced by.
    /// - Throws: `CancellationError` if the calling task is cancelled before such a task sleeps.
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
            // If the sleeper was cancelled or woken by another call in between, the loop waits again.
            if let (duration, due) = moved {
                for sleeper in due { sleeper.resume() }
                return duration
            }
        }
    }

    /// Waits until at least `count` tasks sleep on this clock at the same time.
    /// - Parameter count: The number of sleeping tasks.
    /// - Throws: `CancellationError` if the calling task is cancelled before that many tasks sleep.
    public func waitForSleepers(count: Int) async throws {
        try await state.wait { $0.queue.count >= count ? () : nil }
    }
}
