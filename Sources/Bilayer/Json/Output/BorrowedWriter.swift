import Foundation

/// A writer owned by its caller, shared by the public writers while one value is written.
///
/// **Bound.** The pointer is valid inside ``collect(_:)``, which made it. The public writers cannot leave it: closures
/// get them `inout`, and they cannot be copied.
@safe
@usableFromInline
struct BorrowedWriter {
    private let writer: UnsafeMutablePointer<ByteWriter>

    /// The bytes that `write` writes.
    static func collect(_ write: (BorrowedWriter) throws -> Void) throws -> Data {
        var writer = ByteWriter(capacity: min(max(lastSize.value ?? 0, 192), 1 << 20) &+ 64)
        try unsafe withUnsafeMutablePointer(to: &writer) { try unsafe write(BorrowedWriter(writer: $0)) }
        lastSize.set(writer.count)
        return writer.finish()
    }

    /// The last size predicts the next one. This capacity saves growing.
    private static let lastSize = AtomicCounter()

    /// The bytes so far, to write more.
    var bytes: ByteWriter {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(writer) }
        @inline(__always)
        nonmutating unsafeMutableAddress { unsafe writer }
    }
}
