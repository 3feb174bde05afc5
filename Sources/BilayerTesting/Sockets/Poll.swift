#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An event of a descriptor that a thread waits for.
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

    /// The other side has closed the connection. Darwin has no event for it: a reset is detected, but an orderly close
    /// possibly not.
    static func hungUp(_ descriptor: Descriptor) -> Interest {
        #if canImport(Darwin)
        Interest(descriptor: descriptor, events: 0)
        #else
        Interest(descriptor: descriptor, events: 0x2000)  // POLLRDHUP, declared for GNU sources only
        #endif
    }
}

/// Blocks the thread until one of the interests is ready.
/// - Parameters:
///   - interests: The events to wait for.
///   - deadline: The end of the wait; `nil` for no end.
/// - Returns: The index of the first interest that is ready; `nil` at the deadline.
/// - Throws: ``SystemError`` if the system cannot wait.
func firstReady(of interests: [Interest], until deadline: ContinuousClock.Instant? = nil) throws -> Int? {
    var entries = interests.map { pollfd(fd: $0.descriptor.number, events: $0.events, revents: 0) }
    while true {
        // Bound: the count that is passed with the array is the array's own.
        let count = unsafe poll(&entries, nfds_t(entries.count), milliseconds(until: deadline))
        if count > 0 { return entries.firstIndex { $0.revents != 0 } }
        if count < 0, !isTemporaryFailure { throw SystemError("poll") }
        if count == 0, let deadline, deadline <= .now { return nil }
    }
}

/// The remaining time as `poll` takes it: milliseconds, rounded up, at most 1,000,000,000. -1 means no end.
private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { return 0 }
    return Int32(min(left / .milliseconds(1), 1_000_000_000).rounded(.up))
}
