import Foundation

/// The names that a decoding call has converted so far. The objects of a list repeat the same keys, and a conversion
/// costs more than the rest of reading a key.
///
/// A call runs on one thread, but a container that user code retains may be used on another. The lock protects that
/// use.
// Sendable: `names` is only used with the lock held.
final class DecodedNameCache: @unchecked Sendable {
    private var names: [JsonKey: String] = [:]
    private let lock = NSLock()

    /// Keys that are data, one for each object, would fill it without use.
    private static let limit = 1000

    /// The name that another is converted to.
    func name(for name: String, _ convert: (String) -> String) -> String {
        let key = JsonKey(text: name)
        if let known = lock.withLock({ names[key] }) { return known }
        let converted = convert(name)
        lock.withLock { if names.count < Self.limit { names[key] = converted } }
        return converted
    }
}
