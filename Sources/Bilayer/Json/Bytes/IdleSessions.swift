import Foundation

/// The sessions that no call is using, and the keyed containers that user code has kept after their frame. The standard library's
/// box around such a container cannot tell when it ends, so its state stays here until nobody else has the box.
///
/// **Bound.** A session is in the list or with one call, never both: it is moved under the lock. A kept state is freed when its
/// box is referenced by nothing but the state; then no container points to it.
@safe
// Sendable: both lists are read and written under the lock.
final class IdleSessions<Session, Kept: ContainerState>: @unchecked Sendable {
    private let lock = NSLock()
    private var idle: [UnsafeMutablePointer<Session>] = unsafe []
    private var kept: [UnsafeMutablePointer<Kept>] = unsafe []

    private var callsBeforeLook = 0

    /// More calls at once than this are served too, by sessions that end with them.
    private let limit = 16

    /// An idle session, if there is one. Containers that nobody has any more are freed on the occasion.
    func take() -> UnsafeMutablePointer<Session>? {
        lock.lock()
        let session = unsafe idle.popLast()
        let dropped = unsafe kept.isEmpty ? [] : removeDropped()
        lock.unlock()
        // Not under the lock: what ends with a state may be user code.
        unsafe dropped.forEach { state in
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }
        return unsafe session
    }

    /// Puts a session in the list; false if there are enough, then the caller ends it.
    func give(_ session: UnsafeMutablePointer<Session>) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        if unsafe idle.count >= limit { return false }
        unsafe idle.append(session)
        return true
    }

    /// Takes charge of the state of a container that user code has kept.
    func keep(_ state: UnsafeMutablePointer<Kept>) {
        lock.lock()
        defer { lock.unlock() }
        unsafe kept.append(state)
    }

    /// How many kept containers there are.
    var keptCount: Int {
        lock.lock()
        defer { lock.unlock() }
        return unsafe kept.count
    }

    /// A look at all of them costs time, so the more were found in use, the later is the next look.
    private func removeDropped() -> [UnsafeMutablePointer<Kept>] {
        callsBeforeLook &-= 1
        if callsBeforeLook > 0 { return unsafe [] }
        defer { callsBeforeLook = unsafe kept.count / 64 }
        var dropped: [UnsafeMutablePointer<Kept>] = unsafe []
        unsafe kept.removeAll { state in
            let isDropped = unsafe isKnownUniquelyReferenced(&state.pointee.witness)
            if isDropped { unsafe dropped.append(state) }
            return isDropped
        }
        return unsafe dropped
    }
}
