import Foundation

/// The sessions that no call uses, and the detached keyed containers. A container is detached if user code retains it
/// after the end of the `init(from:)` or `encode(to:)` that requested it. The standard library's box around a container
/// does not report its deinitialization. The container's state therefore stays in this list until a later call finds
/// that no other reference to the box exists.
///
/// **Bound.** A session is in this list once or belongs to one call, never both. It moves by an atomic exchange or
/// under the lock. The state of a detached container is freed when its ``DetachedContainer`` has the only reference to
/// its box. Then no container points to the state. ``last`` is never freed.
@safe
// Sendable: both lists are read and written under the lock, and `last` is only used as an atomic.
final class IdleSessions<Session, State: ContainerState>: @unchecked Sendable {
    /// The session that was returned last, or 0. With it, calls that do not overlap need no lock for their sessions. On
    /// systems without atomics, it stays 0.
    private let last: UnsafeMutablePointer<UInt64>
    private let lock = NSLock()
    private var idle: [UnsafeMutablePointer<Session>] = unsafe []
    private var detached: [DetachedContainer<State>] = []
    /// The number of elements in `detached`, readable without the lock.
    private let detachedCount = AtomicCounter()

    private var callsBeforeNextCheck = 0

    /// The maximum number of sessions in `idle`. The sessions of further concurrent calls are freed when their calls
    /// end.
    private let limit = 16

    init() {
        unsafe last = .allocate(capacity: 1)
        unsafe last.initialize(to: 0)
    }

    /// Removes and returns an idle session, or `nil`. Some calls also free the states of released containers.
    func take() -> UnsafeMutablePointer<Session>? {
        if detachedCount.value != 0 { freeReleased() }
        if let word = unsafe AtomicWord.exchange(0, at: last), word != 0 {
            return unsafe UnsafeMutablePointer(bitPattern: UInt(word))
        }
        lock.lock()
        defer { lock.unlock() }
        return unsafe idle.popLast()
    }

    /// Adds a session to the list. If the list is full, returns a surplus session, which the caller must free.
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

    /// Takes ownership of the state of a detached container.
    func adopt(_ state: UnsafeMutablePointer<State>) {
        lock.lock()
        defer { lock.unlock() }
        detached.append(unsafe DetachedContainer(state))
        detachedCount.set(detached.count)
    }

    private func freeReleased() {
        lock.lock()
        let released = detached.isEmpty ? [] : removeReleased()
        detachedCount.set(detached.count)
        lock.unlock()
        // The states are released outside the lock, because the deinitialization of a state may run user code.
        withExtendedLifetime(released) {}
    }

    /// Removes and returns the containers that are no longer referenced. While there are many containers, most calls
    /// return none without a check, because a check takes time in proportion to their number. The more containers are
    /// in use, the more calls pass before the next check.
    private func removeReleased() -> [DetachedContainer<State>] {
        callsBeforeNextCheck &-= 1
        if callsBeforeNextCheck > 0 { return [] }
        defer { callsBeforeNextCheck = detached.count / 64 }
        var released: [DetachedContainer<State>] = []
        detached.removeAll { container in
            let isReleased = container.isReleased
            if isReleased { released.append(container) }
            return isReleased
        }
        return released
    }
}

/// A keyed container that user code retains after the end of its `init(from:)` or `encode(to:)`, and the state that the
/// container points to.
///
/// The reference for the uniqueness check is moved from the state to this object. A thread that uses the container
/// changes the state. Other threads only read this object's reference, never the state.
///
/// **Bound.** The box around the container points to the state without owning it. The thread that finds this object's
/// reference to be the last one deinitializes the state. At that time no copy of the container exists, and a copy can
/// only be made from another copy. A thread changes the state only before it releases its copy of the container. The
/// last release of the box synchronizes with all earlier releases, so the thread that deinitializes the state sees all
/// changes.
@safe
final class DetachedContainer<State: ContainerState> {
    private var box: AnyObject?
    private let state: UnsafeMutablePointer<State>

    /// Takes ownership of a state and of the reference to the box around its container.
    init(_ state: UnsafeMutablePointer<State>) {
        unsafe self.state = state
        box = unsafe state.pointee.retainProbe
        unsafe state.pointee.retainProbe = nil
    }

    /// Whether no other reference to the container exists. The property is read only under the lock of
    /// ``IdleSessions``.
    var isReleased: Bool { isKnownUniquelyReferenced(&box) }

    deinit {
        // The reference is released first; the type's documentation explains why.
        box = nil
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }
}
