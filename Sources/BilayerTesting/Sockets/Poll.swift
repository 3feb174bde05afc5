#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The events of one descriptor that a thread waits for.
struct Interest {
    let descriptor: Descriptor
    let events: Int16

    static func readable(_ descriptor: Descriptor) -> Interest {
        Interest(descriptor: descriptor, events: Int16(POLLIN))
    }
    static func writable(_ descriptor: Descriptor) -> Interest {
        Interest(descriptor: descriptor, events: Int16(POLLOUT))
    }
    static func raised(_ signal: Signal) -> Interest { readable(signal.descriptor) }

    /// The other side has closed. Darwin has no event for that: a reset is detected there, a close possibly not.
    static func hungUp(_ descriptor: Descriptor) -> Interest {
        #if canImport(Darwin)
        Interest(descriptor: descriptor, events: 0)
        #else
        Interest(descriptor: descriptor, events: 0x2000)  // POLLRDHUP, declared by the C library for GNU sources only
        #endif
    }
}

/// Blocks the thread until one of the interests is ready.
/// - Parameters:
///   - interests: What to wait for; the first one that is ready wins.
///   - deadline: The end of the wait, `nil` for none.
/// - Returns: The index of the interest, `nil` at the deadline.
/// - Throws: ``SystemError`` when the system cannot wait.
func firstReady(of interests: [Interest], until deadline: ContinuousClock.Instant? = nil) throws -> Int? {
    var entries = interests.map { pollfd(fd: $0.descriptor.number, events: $0.events, revents: 0) }
    while true {
        // Bound: the count that goes with the array is the array's own.
        let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds(until: deadline))
        if count > 0 { return entries.firstIndex { $0.revents != 0 } }
        if count < 0, !isTemporaryFailure { throw SystemError("poll") }
        if count == 0, let deadline, deadline <= .now { return nil }
    }
}

/// The remaining time for `poll`: rounded up, at most the largest number; -1 waits without end.
private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { return 0 }
    return Int32(min(left / .milliseconds(1), 1_000_000_000).rounded(.up))
}
