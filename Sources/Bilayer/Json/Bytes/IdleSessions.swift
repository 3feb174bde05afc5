import Foundation

/// The sessions that no call is using, and the keyed containers that user code has kept after their frame. The standard library's
/// box around such a container cannot tell when it ends, so its state stays here until nobody else has the box.
///
/// **Bound.** A session is here once or with one call, never both: it is moved by an atomic exchange or under the lock. A kept
/// state is freed when its box is referenced by nothing but the state; then no container points to it. ``last`` is never freed.
@safe
// Sendable: both lists are read and written under the lock, and `last` is only used as an atomic.
final class IdleSessions<Session, Kept: ContainerState>: @unchecked Sendable {
    /// The session that was given back last, 0 if there is none: calls that follow one another need no lock.
    private let last: UnsafeMutablePointer<UInt64>
    private let lock = NSLock()
    private var idle: [UnsafeMutablePointer<Session>] = unsafe []
    private var kept: [UnsafeMutablePointer<Kept>] = unsafe []
    /// How many are in `kept`, to be asked without the lock.
    private let keptNumber = SharedNumber()

    private var callsBeforeLook = 0

    /// More calls at once than this are served too, by sessions that end with them.
    private let limit = 16

    init() {
        unsafe last = .allocate(capacity: 1)
        unsafe last.initialize(to: 0)
    }

    /// An idle session, if there is one. Containers that nobody has any more are freed on the occasion.
    func take() -> UnsafeMutablePointer<Session>? {
        if keptNumber.value != 0 { freeDropped() }
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
    func keep(_ state: UnsafeMutablePointer<Kept>) {
        lock.lock()
        defer { lock.unlock() }
        unsafe kept.append(state)
        keptNumber.set(unsafe kept.count)
    }

    /// How many kept containers there are.
    var keptCount: Int {
        lock.lock()
        defer { lock.unlock() }
        return unsafe kept.count
    }

    private func freeDropped() {
        lock.lock()
        let dropped = unsafe kept.isEmpty ? [] : removeDropped()
        keptNumber.set(unsafe kept.count)
        lock.unlock()
        // Not under the lock: what ends with a state may be user code.
        unsafe dropped.forEach { state in
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }
    }

    /// A look at all of them costs time, so the more were found in use, the later is the next look.
    private func removeDropped() -> [UnsafeMutablePointer<Kept>] {
        callsBeforeLook &-= 1
        if callsBeforeLook > 0 { return unsafe [] }
        defer { callsBeforeLook = unsafe kept.count / 64 }
        var dropped: [UnsafeMutablePointer<Kept>] = unsafe []
        unsafe kept.removeAll { state in
            let isDropped = unsafe isOnlyReference(at: state.witnessAddress)
            if isDropped { unsafe dropped.append(state) }
            return isDropped
        }
        return unsafe dropped
    }

    /// Whether nobody else has the object whose reference stands at an address. A copy of the word is asked: to ask in place would be
    /// a change of the whole state, in which a thread that uses a kept container may be changing something else.
    ///
    /// **Bound.** The copy is as large as the reference and is not counted; nothing is done with it but asking.
    private func isOnlyReference(at address: UnsafeRawPointer) -> Bool {
        var word = unsafe address.load(as: UInt.self)
        return unsafe withUnsafeMutablePointer(to: &word) { word in
            unsafe word.withMemoryRebound(to: AnyObject?.self, capacity: 1) { reference in
                unsafe isKnownUniquelyReferenced(&reference.pointee)
            }
        }
    }
}
