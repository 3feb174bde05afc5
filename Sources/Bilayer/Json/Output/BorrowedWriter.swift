import Foundation

/// A reference to a ``ByteWriter`` on the stack of ``collect(with:_:)``. The public writers share the reference while
/// one value is written.
///
/// **Bound.** The pointer is valid inside ``collect(with:_:)``, which makes it. The public writers cannot outlive that
/// call: closures get them `inout`, and they cannot be copied.
@safe
@usableFromInline
struct BorrowedWriter {
    private struct Target: ~Copyable {
        // This is the first property, so that its address is the address of the whole target.
        var writer: ByteWriter
        /// ``collect(with:_:)`` retains the object. A counted reference takes time here, even if it is nil.
        unowned(unsafe) let companion: AnyObject?
    }

    private let target: UnsafeMutablePointer<Target>

    /// Returns the bytes that `write` writes.
    /// - Parameters:
    ///   - companion: An object that the public writers share beside the bytes.
    ///   - write: Writes the value.
    /// - Returns: The bytes.
    /// - Throws: What `write` throws.
    @inline(__always)
    static func collect(with companion: AnyObject?, _ write: (BorrowedWriter) throws -> Void) throws -> Data {
        let writer = ByteWriter(capacity: min(max(lastSize.value ?? 0, 192), 1 << 20) &+ 64)
        var target = Target(writer: writer, companion: companion)
        defer { withExtendedLifetime(companion) {} }
        try unsafe withUnsafeMutablePointer(to: &target) { try unsafe write(BorrowedWriter(target: $0)) }
        lastSize.set(target.writer.count)
        return target.writer.finish()
    }

    /// The size of the last result. Results often have similar sizes, so the next writer reserves about that capacity:
    /// at least 256 bytes, at most about 1 MB.
    private static let lastSize = AtomicCounter()

    /// The object that the public writers share.
    var companion: AnyObject? { unsafe target.pointee.companion }

    /// The bytes so far. Writes through this property append to them.
    var bytes: ByteWriter {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(writer) }
        @inline(__always)
        nonmutating unsafeMutableAddress { unsafe writer }
    }

    // Bound: the writer is the first property of the target.
    @inline(__always)
    private var writer: UnsafeMutablePointer<ByteWriter> {
        unsafe UnsafeMutableRawPointer(target).assumingMemoryBound(to: ByteWriter.self)
    }
}
