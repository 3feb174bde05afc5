import Foundation

/// A JSON text that this library wrote: its bytes go to the wire as they are, and an index is made once, when a part of
/// it is read.
@usableFromInline
// Sendable: `bytes` is a constant; `parsed` is only touched with the lock held.
final class WrittenJson: @unchecked Sendable {
    /// The text in compact form.
    let bytes: Data
    private var parsed: JsonDocument?

    /// One for all texts, and held for a moment only: a lock in each would cost short texts more than they take to
    /// write.
    private static let lock = NSLock()

    /// Takes over a text. It must be JSON in compact form.
    init(_ bytes: Data) { self.bytes = bytes }

    /// The text with its index. Of two threads that ask at once for the first time both make one, and one of them is
    /// kept.
    var document: JsonDocument {
        if let known = Self.lock.withLock({ parsed }) { return known }
        let document = JsonDocument.parse(trusted: bytes)
        return Self.lock.withLock {
            let first = parsed ?? document
            parsed = first
            return first
        }
    }
}
