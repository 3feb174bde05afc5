import Foundation

/// A JSON text that this library wrote. Its bytes are sent unchanged. An index is made once, when a part of it is read.
@usableFromInline
// Sendable: `bytes` is a constant; `parsed` is only used with the lock held.
final class WrittenJson: @unchecked Sendable {
    /// The text in compact form.
    let bytes: Data
    private var parsed: JsonDocument?

    /// One lock for all texts, held for short times only. A lock in each would cost short texts more than their
    /// writing.
    private static let lock = NSLock()

    /// Makes a value from a text, which must be JSON in compact form.
    init(_ bytes: Data) { self.bytes = bytes }

    /// The text with its index. If two threads request it concurrently for the first time, both make one, and one of
    /// them is stored.
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
