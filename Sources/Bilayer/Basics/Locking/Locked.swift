import Foundation

/// A value behind a lock. A closure that runs under the lock must be short and must not resume a continuation.
// Sendable: `value` is only accessed under `lock`. It is Sendable, so a part of it may be used without the lock.
package final class Locked<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
