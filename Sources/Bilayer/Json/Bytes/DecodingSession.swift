import Foundation

/// Runs decoding calls. What a call learns about types (``TypeTable``, ``KeyTable``) and its idle containers are kept for the
/// next one; each call has a session to itself, so none of it is ever shared between tasks.
enum DecodingSession {
    /// Runs a call over a document.
    /// - Parameters:
    ///   - document: What to decode from; held until the call ends.
    ///   - settings: The strategies.
    ///   - path: Where the value that is decoded stands.
    ///   - body: The call.
    /// - Returns: What the call returns.
    /// - Throws: What the call throws.
    static func run<Value>(
        _ document: JsonDocument,
        _ settings: JsonDecoder,
        path: [any CodingKey] = [],
        _ body: (DecodingContext) throws -> Value
    ) throws -> Value {
        let base = path.isEmpty ? nil : CodingPathBase(path)
        let reuses = settings.tricks == .all
        let storage = unsafe (reuses ? IdleSessions.shared.take() : nil) ?? .make(settings)
        unsafe storage.pointee.begin(document, settings, base)
        defer {
            unsafe storage.pointee.end()
            if reuses { unsafe IdleSessions.shared.give(storage) } else { unsafe storage.destroy() }
            withExtendedLifetime(base) {}
        }
        return try body(unsafe DecodingContext(storage))
    }
}

extension DecodingContext.Storage {
    fileprivate mutating func begin(_ document: JsonDocument, _ settings: JsonDecoder, _ base: CodingPathBase?) {
        nodes = document.nodes
        self.document = document
        self.settings = settings
        convertsKeys = settings.keys.isConverting || document.duplicateKeys == .lastWins
        root = base.map(CodingPlace.init(base:)) ?? CodingPlace()
    }

    /// Lets go of everything that belongs to one call.
    fileprivate mutating func end() {
        document = nil
        settings = .plain
    }

    /// Frees what the storage owns.
    func destroy() {
        routes.deallocate()
        unsafe homes.deallocate { home in unsafe home.destroy() }
        unsafe decoders.deinitialize(count: capacity)
        unsafe decoders.deallocate()
    }
}

extension UnsafeMutablePointer<DecodingContext.Storage> {
    fileprivate static func make(_ settings: JsonDecoder) -> Self {
        let storage = Self.allocate(capacity: 1)
        let decoders = UnsafeMutablePointer<ValueDecoder?>.allocate(capacity: 32)
        unsafe decoders.initialize(repeating: nil, count: 32)
        unsafe storage.initialize(
            to: .init(
                nodes: JsonDocument.null.nodes,
                document: nil,
                settings: settings,
                decoders: decoders,
                capacity: 32
            )
        )
        return unsafe storage
    }

    fileprivate func destroy() {
        unsafe pointee.destroy()
        unsafe deinitialize(count: 1)
        unsafe deallocate()
    }
}

/// The sessions that no call is using, and the keyed containers that user code has kept after their frame. The standard library's
/// box around such a container cannot tell when it ends, so its state stays here until nobody else has the box.
///
/// **Bound.** A session is in the list or with one call, never both: it is moved under the lock. A kept state is freed when its
/// box is referenced by nothing but the state; then no container points to it.
@safe
final class IdleSessions: @unchecked Sendable {
    // Sendable: both lists are read and written under the lock.

    static let shared = IdleSessions()

    private let lock = NSLock()
    private var idle: [UnsafeMutablePointer<DecodingContext.Storage>] = unsafe []
    private var kept: [UnsafeMutablePointer<KeyedState>] = unsafe []

    /// More calls at once than this are served too, by sessions that end with them.
    private static let limit = 16

    /// An idle session, if there is one. Containers that nobody has any more are freed on the occasion.
    func take() -> UnsafeMutablePointer<DecodingContext.Storage>? {
        lock.lock()
        let storage = unsafe idle.popLast()
        let dropped = unsafe kept.isEmpty ? [] : removeDropped()
        lock.unlock()
        // Not under the lock: what ends with a state may be user code.
        unsafe dropped.forEach { state in unsafe KeyedReader(state).deallocate() }
        return unsafe storage
    }

    func give(_ storage: UnsafeMutablePointer<DecodingContext.Storage>) {
        lock.lock()
        let isFull = unsafe idle.count >= Self.limit
        if !isFull { unsafe idle.append(storage) }
        lock.unlock()
        if isFull { unsafe storage.destroy() }
    }

    /// Takes charge of the state of a container that user code has kept.
    func keep(_ state: UnsafeMutablePointer<KeyedState>) {
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

    private func removeDropped() -> [UnsafeMutablePointer<KeyedState>] {
        var dropped: [UnsafeMutablePointer<KeyedState>] = unsafe []
        unsafe kept.removeAll { state in
            let isDropped = unsafe isKnownUniquelyReferenced(&state.pointee.witness)
            if isDropped { unsafe dropped.append(state) }
            return isDropped
        }
        return unsafe dropped
    }
}
