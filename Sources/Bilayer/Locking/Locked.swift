import Foundation

/// A value behind a lock. The value's code runs under the lock, so it is short, and resumes nothing.
// Sendable: `value` is only accessed under `lock`, and what leaves the lock is Sendable itself.
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
