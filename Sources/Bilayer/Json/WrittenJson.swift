import Foundation

/// A JSON text that this library wrote: its bytes go to the wire as they are, and an index is made once, if somebody looks inside.
@usableFromInline
final class WrittenJson: @unchecked Sendable {
    // Sendable: `bytes` is a constant; `parsed` is only touched with the lock held.

    /// The text in compact form.
    let bytes: Data
    private var parsed: JsonDocument?
    private let lock = NSLock()

    /// Takes over a text. It must be JSON in compact form.
    init(_ bytes: Data) { self.bytes = bytes }

    /// The text with its index.
    var document: JsonDocument {
        lock.lock()
        defer { lock.unlock() }
        if let parsed { return parsed }
        let document = JsonDocument.parse(trusted: bytes)
        parsed = document
        return document
    }
}
