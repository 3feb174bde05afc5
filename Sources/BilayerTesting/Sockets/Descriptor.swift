#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file descriptor that is closed when its last reference is released. So it is closed, however the thread that uses
/// it ends.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes ownership of the descriptor that a system call returned.
    /// - Throws: ``SystemError`` if the system call failed.
    init(adopting number: Int32, from operation: String) throws(SystemError) {
        guard number >= 0 else { throw SystemError(operation) }
        self.number = number
    }

    deinit { _ = close(number) }

    /// Makes the descriptor non-blocking. Child processes that start later do not inherit it.
    func makeNonblocking() {
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }
}

/// The error of a system call: the name of the call and the system's reason.
struct SystemError: Error, CustomStringConvertible {
    let operation: String
    let code: Int32

    init(_ operation: String) {
        self.operation = operation
        code = errno
    }

    var description: String {
        // Bound: strerror gives a null-terminated string, copied before the next call.
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return "\(operation): \(reason)"
    }
}

/// Whether the last call on this thread failed only because it would have blocked or was interrupted.
var isTemporaryFailure: Bool { errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }
