import Foundation

/// The sessions that no call is using, and the keyed containers that user code has kept after their frame. The standard
/// library's box around such a container cannot tell when it ends, so its state stays here until the box is not
/// referenced elsewhere.
///
/// **Bound.** A session is here once or with one call, never both: it is moved by an atomic exchange or under the lock.
/// A kept state is freed when its box is referenced by nothing but its ``KeptContainer``; then no container points to
/// it. ``last`` is never freed.
@safe
// Sendable: both lists are read and written under the lock, and `last` is only used as an atomic.
final class IdleSessions<Session, State: ContainerState>: @unchecked Sendable {
    /// The session that was given back last, 0 if there is none: calls that follow one another need no lock.
    private let last: UnsafeMutablePointer<UInt64>
    private let lock = NSLock()
    private var idle: [UnsafeMutablePointer<Session>] = unsafe []
    private var detached: [DetachedContainer<State>] = []
    /// How many are in `kept`, to be asked without the lock.
    private let detachedCount = AtomicCounter()

    private var callsBeforeLook = 0

    /// More calls at once than this are served too, by sessions that end with them.
    private let limit = 16

    init() {
        unsafe last = .allocate(capacity: 1)
        unsafe last.initialize(to: 0)
    }

    /// An idle session, if there is one. Containers that are not referenced any more are freed first.
    func take() -> UnsafeMutablePointer<Session>? {
        if detachedCount.value != 0 { freeDropped() }
        if let word = unsafe AtomicWord.exchange(0, at: last), word != 0 {
            return unsafe UnsafeMutablePointer(bitPattern: UInt(word))
        }
        lock.lock()
        defer { lock.unlock() }
        return unsafe idle.popLast()
    }

    /// Takes a session back. Gives out one that is too many, if there is, for the caller to end.
    func give(_ session: UnsafeMutablePointer<Session>) -> UnsafeMutablePointer<Session>? {
        var session = unsafe session
        if let word = unsafe AtomicWord.exchange(UInt64(UInt(bitPattern: session)), at: last) {
            guard let other = unsafe UnsafeMutablePointer<Session>(bitPattern: UInt(word)) else { return nil }
            unsafe session = other
        }
        lock.lock()
        defer { lock.unlock() }
        if unsafe idle.count >= limit { return unsafe session }
        unsafe idle.append(session)
        return nil
    }

    /// Takes charge of the state of a container that user code has kept.
    func adopt(_ state: UnsafeMutablePointer<State>) {
        lock.lock()
        defer { lock.unlock() }
        detached.append(unsafe DetachedContainer(state))
        detachedCount.set(detached.count)
    }

    private func freeDropped() {
        lock.lock()
        let dropped = detached.isEmpty ? [] : removeDropped()
        detachedCount.set(detached.count)
        lock.unlock()
        // Not under the lock: what ends with a state may be user code.
        withExtendedLifetime(dropped) {}
    }

    /// A look at all of them costs time, so the more were found in use, the later is the next look.
    private func removeDropped() -> [DetachedContainer<State>] {
        callsBeforeLook &-= 1
        if callsBeforeLook > 0 { return [] }
        defer { callsBeforeLook = detached.count / 64 }
        var dropped: [DetachedContainer<State>] = []
        detached.removeAll { container in
            let isDropped = container.isDropped
            if isDropped { dropped.append(container) }
            return isDropped
        }
        return dropped
    }
}

/// A keyed container that user code has kept, and the state that it points to.
///
/// The reference that tells whether anybody still has the container is here and no longer in the state. A thread that
/// uses the container changes the state, and no other thread reads that: this object looks at nothing but its own
/// reference.
///
/// **Bound.** The box around the container points to the state without owning it. Only the thread that finds this
/// object's reference to be the last one ends it, and then there is no other copy of the container: one can be made
/// from another only. What earlier owners did to the state comes before their release of the box, and the last release
/// of an object waits for all the others.
@safe
final class DetachedContainer<State: ContainerState> {
    private var box: AnyObject?
    private let state: UnsafeMutablePointer<State>

    /// Takes over a state, and the reference to the box around its container.
    init(_ state: UnsafeMutablePointer<State>) {
        unsafe self.state = state
        box = unsafe state.pointee.retainProbe
        unsafe state.pointee.retainProbe = nil
    }

    /// Whether the container is not referenced elsewhere. Asked under the lock of ``IdleSessions`` only.
    var isDropped: Bool { isKnownUniquelyReferenced(&box) }

    deinit {
        // First: see above.
        box = nil
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }
}
