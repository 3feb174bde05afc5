/// A token bucket: the number of tokens grows with time up to a limit. A caller can reserve a future token and gets the
/// time to wait for it, so callers are served in their order. A reservation that is given back goes to the next caller.
struct TokenBucket: Sendable {
    private let interval: Duration
    private let burst: Int
    /// When the bucket will be full again, if no further token is taken.
    private var fullAt = Duration.zero
    /// The ``Reservation/fullAt`` of the reservations that were given back, in ascending order. A reservation that is
    /// given back while it is the latest one is not in this list: the bucket's `fullAt` is set back instead.
    private var free: [Duration] = []

    /// A reserved token.
    struct Reservation {
        /// The time until the token is available, zero if it is available now.
        let wait: Duration
        /// When the bucket will be full again, if this is the last token that is taken.
        fileprivate let fullAt: Duration
    }

    /// - Parameters:
    ///   - interval: The time after which one token is added.
    ///   - burst: The most tokens. The bucket is full at the start.
    init(interval: Duration, burst: Int) {
        self.interval = min(max(interval, .zero), Self.longest)
        // Limits the burst so that a `Duration` can hold the time to fill the bucket. With an interval of zero the
        // bucket is always full.
        let most = self.interval == .zero ? 1 : Self.longest / self.interval
        self.burst = max(Double(burst) > most ? Int(most) : burst, 1)
    }

    /// About nine thousand years.
    private static let longest = Duration.seconds(Int64(1) << 38)

    /// Reserves the next token.
    /// - Returns: The reservation.
    mutating func take(at time: Duration) -> Reservation {
        // A reservation in the past is dropped: a request that used it now would be too close to the next request.
        free.removeFirst(free.prefix { wait(for: $0, at: time) < .zero }.count)
        if !free.isEmpty {
            let fullAt = free.removeFirst()
            return Reservation(wait: wait(for: fullAt, at: time), fullAt: fullAt)
        }
        fullAt = max(fullAt, time) + interval
        return Reservation(wait: max(wait(for: fullAt, at: time), .zero), fullAt: fullAt)
    }

    /// Gives back a reservation that was not used. Later reservations keep their times. The next caller gets the
    /// reservation that was given back.
    mutating func giveBack(_ reservation: Reservation) {
        if reservation.fullAt == fullAt {
            // The reservations directly before this one may have been given back earlier. They are removed, too.
            repeat { fullAt -= interval } while free.popLast(ifLast: fullAt)
        } else {
            free.insert(reservation.fullAt, at: free.partitioningIndex { $0 > reservation.fullAt })
        }
    }

    /// Returns the time until the token of the reservation with this ``Reservation/fullAt`` is available. Negative if
    /// the token has been available for some time.
    private func wait(for fullAt: Duration, at time: Duration) -> Duration { fullAt - time - interval * burst }
}

extension [Duration] {
    /// Removes the last element if it equals `element`.
    fileprivate mutating func popLast(ifLast element: Duration) -> Bool {
        guard last == element else { return false }
        removeLast()
        return true
    }

    /// The index of the first element of a sorted array for which the predicate holds.
    fileprivate func partitioningIndex(where holds: (Duration) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
