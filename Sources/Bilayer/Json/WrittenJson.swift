import Foundation

/// A JSON text that this library wrote. Its bytes are sent unchanged. The text is indexed when it is first read, and
/// the index is stored.
@usableFromInline
// Sendable: `bytes` is a constant; `parsed` is only used with the lock held.
final class WrittenJson: @unchecked Sendable {
    /// The text in compact form.
    let bytes: Data
    private var parsed: JsonDocument?

    /// One lock for all texts. It is held only to read or to store `parsed`. A lock in each text would cost more than
    /// writing a short text.
    private static let lock = NSLock()

    /// Makes a value from a text. The text must be JSON in compact form.
    init(_ bytes: Data) { self.bytes = bytes }

    /// The text with its index. If two threads request the index for the first time concurrently, both make an index,
    /// and the first one stored is used.
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
