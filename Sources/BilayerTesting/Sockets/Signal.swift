#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A one-time event that wakes every thread waiting for it in `poll`. It is a pipe with a byte that is never read.
final class Signal: Sendable {
    /// Readable forever once the signal is raised.
    let descriptor: Descriptor
    private let writeEnd: Descriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Bound: `pipe` writes two numbers, and the array holds two.
        guard unsafe pipe(&ends) == 0 else { throw SystemError("pipe") }
        descriptor = try Descriptor(adopting: ends[0], from: "pipe")
        writeEnd = try Descriptor(adopting: ends[1], from: "pipe")
        descriptor.makeNonblocking()
        writeEnd.makeNonblocking()
    }

    func raise() {
        var byte: UInt8 = 1
        // Bound: one byte of a one-byte variable is written. If the pipe is full after many raises, the write fails,
        // but the pipe is still readable.
        _ = unsafe write(writeEnd.number, &byte, 1)
    }
}
