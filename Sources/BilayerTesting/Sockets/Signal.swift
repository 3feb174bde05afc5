#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A one-time event that wakes every thread that waits for it in `poll`: a pipe with one byte that is never read.
final class Signal: Sendable {
    /// Permanently readable once the signal is raised.
    let descriptor: Descriptor
    private let writeEnd: Descriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        // Bound: pipe writes two numbers; the array holds two.
        guard unsafe pipe(&ends) == 0 else { throw SystemError("pipe") }
        descriptor = try Descriptor(adopting: ends[0], from: "pipe")
        writeEnd = try Descriptor(adopting: ends[1], from: "pipe")
        descriptor.makeNonblocking()
        writeEnd.makeNonblocking()
    }

    func raise() {
        var byte: UInt8 = 1
        // Bound: one byte of a one-byte variable. A full pipe (raised very often before) is readable, too.
        _ = unsafe write(writeEnd.number, &byte, 1)
    }
}
