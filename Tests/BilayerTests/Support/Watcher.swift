import Bilayer
import Foundation

/// Keeps the events of calls.
// Sendable: `kept` is only used under the lock.
final class Watcher: CallObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [CallEvent] = []

    func observe(_ event: CallEvent, in call: CallContext) { lock.withLock { kept.append(event) } }

    var events: [CallEvent] { lock.withLock { kept } }
}
