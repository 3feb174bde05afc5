/// A keyed container's view of its object. The view is one word, so that the standard library's box around the
/// container can be reused.
///
/// **Bound.** The state belongs to a session's list of idle containers, or to the frame that registered it, or to a
/// ``DetachedContainer`` or ``KeyedDecodingHolder``. Each of these outlives the container.
@safe
struct KeyedReader {
    /// The state's address. It is a number and not a pointer, because the runtime has ready-made code to copy a word
    /// for which every bit pattern is valid. It has no such code for a non-optional pointer, which is never null.
    private let address: UInt

    @inline(__always)
    var state: UnsafeMutablePointer<KeyedDecodingState> {
        // Bound: `address` is that of a state.
        unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    init(_ state: UnsafeMutablePointer<KeyedDecodingState>) { address = UInt(bitPattern: state) }

    /// Makes a reader with a state of its own, which ``deallocate()`` frees.
    init(_ context: DecodingContext, node: UnsafePointer<CodingPathNode>) {
        let state = UnsafeMutablePointer<KeyedDecodingState>.allocate(capacity: 1)
        unsafe state.initialize(to: KeyedDecodingState(context: context, nodes: context.nodes, node: node))
        unsafe self.init(state)
    }

    func deallocate() {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    @inline(__always)
    var context: DecodingContext { unsafe state.pointee.context }
    @inline(__always)
    var object: Int { unsafe state.pointee.object }
    @inline(__always)
    var nodes: JsonNodes { unsafe state.pointee.nodes }
    var path: [any CodingKey] { path(to: nil) }

    /// Returns the coding path of the object, followed by `key` if there is one.
    func path(to key: (any CodingKey)?) -> [any CodingKey] {
        unsafe state.pointee.node.pointee.path(in: nodes, and: key)
    }

    /// Points the reader at the first member of an object.
    @inline(__always)
    func reset(to object: Int, node: UnsafePointer<CodingPathNode>, _ table: UnsafeMutablePointer<KeyTable>?) {
        let nodes = context.nodes
        unsafe state.pointee.nodes = nodes
        unsafe state.pointee.object = object
        unsafe state.pointee.node = node
        unsafe state.pointee.cursor = nodes.firstChild(of: object)
        unsafe state.pointee.end = nodes.words.next(after: object)
        unsafe state.pointee.requested = 0
        unsafe state.pointee.skipped = 0
        unsafe state.pointee.last = object
        unsafe state.pointee.namesRequested = 0
        unsafe use(table)
        if context.needsSpecialLookup { findByConvertedNames() }
    }

    /// Sets the table for later look-ups. With `nil`, keys are looked up by name.
    @inline(__always)
    func use(_ table: UnsafeMutablePointer<KeyTable>?) {
        unsafe state.pointee.table = table
        unsafe state.pointee.entries = table?.pointee.readable
        unsafe state.pointee.entryCount = table?.pointee.capacity ?? 0
    }

    @inline(never)
    private func findByConvertedNames() {
        if unsafe context.activeSnakeCaseCache != nil, let keys = unsafe state.pointee.cache?.convertedKeys() {
            // Bound: the keys are freed with their cache, which outlives the session's containers.
            unsafe use(keys.pointer(to: \.table))
            return
        }
        if lookUpByNaming() { return }
        unsafe use(nil)
        unsafe state.pointee.names = makeNames()
    }
}

// MARK: - Look-up

// How a key is found depends on its type and on the strategy for keys:
//
// - Keys of one byte, as the compiler makes them, have a table of their names as bytes. `find(_:)` compares the
//   requested key with the key at the cursor. They are equal if all members are read in the order of the text.
//   Otherwise `findOutOfOrder(_:)` searches.
// - With snake case, the table has the JSON keys that were found earlier (`findBySnakeCase(_:_:_:)`). With a naming,
//   the table has the keys that the naming makes (`findByNaming(_:)`).
// - All other keys are found by their names (`find(named:)`). These include keys whose names may change, and keys under
//   a custom strategy. They also include all keys of a document for which the last of several members with the same key
//   is read.

extension KeyedReader {
    /// Returns the index position of a key's value, or -1 if the object has no such key.
    @inline(__always)
    func find<Key: CodingKey>(_ key: Key) -> Int {
        if let entries = unsafe state.pointee.entries {
            let number = KeyTable.byte(of: key)
            // Bound: number < entryCount.
            if unsafe number < state.pointee.entryCount, unsafe isNext(entries + number, number) {
                unsafe state.pointee.requested |= bit(number)
                return unsafe found(keyAt: state.pointee.cursor)
            }
        }
        return findOutOfOrder(key)
    }

    /// Whether the key at the cursor is the requested one, and no equal key can precede the cursor.
    @inline(__always)
    private func isNext(_ entry: UnsafePointer<EncodedKey>, _ number: Int) -> Bool {
        let cursor = unsafe state.pointee.cursor
        return unsafe !mayPrecedeCursor(entry.pointee.filterBit, number) && cursor < state.pointee.end
            && entry.matches(nodes, at: cursor)
    }

    /// Whether a key may precede the cursor: it was found before, or its bit is in the filter of the keys that were
    /// skipped.
    @inline(__always)
    private func mayPrecedeCursor(_ keyBit: UInt64, _ number: Int) -> Bool {
        unsafe (state.pointee.requested & bit(number)) | (state.pointee.skipped & keyBit) != 0
    }

    /// The bit of a key's number in the set of keys that were found.
    @inline(__always)
    private func bit(_ number: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: number & 63) }

    @inline(__always)
    private func found(keyAt position: Int) -> Int {
        unsafe state.pointee.cursor = nodes.words.next(after: position &+ 1)
        unsafe state.pointee.last = position
        return position &+ 1
    }

    /// Returns the position of a key's value, or -1. This function is called if the key is not at the cursor, may
    /// precede the cursor, or is not in the table.
    @inline(never)
    private func findOutOfOrder<Key: CodingKey>(_ key: Key) -> Int {
        guard let table = unsafe state.pointee.table, let keys = unsafe state.pointee.cache?.pointee.table,
            unsafe keys.pointee.canCacheName(key)
        else {
            return find(named: key.stringValue)
        }
        if let conversions = unsafe context.activeSnakeCaseCache {
            return unsafe findBySnakeCase(key, table, conversions)
        }
        if context.namingNumber != 0 { return findByNaming(key) }
        let number = KeyTable.number(of: key)
        let entry = unsafe table.pointee.entry(number, for: key)
        unsafe use(table)
        if unsafe entry.matches(nodes, at: state.pointee.last) { return unsafe state.pointee.last &+ 1 }
        return unsafe find(entry, number)
    }

    /// Returns the position of a key's value, or -1. Compares the bytes of the entry with the keys of the object.
    func find(_ entry: UnsafePointer<EncodedKey>, _ number: Int) -> Int {
        // A local copy, so that the loop does not read the state again.
        let nodes = nodes
        return search(
            for: number,
            bit: unsafe entry.pointee.filterBit,
            isKey: { position in unsafe entry.isKey(in: nodes, at: position) },
            bitsOfKey: { position in nodes.filterBits(ofKeyAt: position) }
        )
    }

    /// Searches the members from the cursor on, or all of them if the key may precede the cursor.
    /// - Parameters:
    ///   - number: The key's number.
    ///   - keyBit: The key's bit in the filter of the keys before the cursor.
    ///   - isKey: Whether the member at a position has the key.
    ///   - bitsOfKey: Returns the filter bits of the key at a position.
    /// - Returns: The position of the key's value, or -1.
    @inline(__always)
    func search(
        for number: Int,
        bit keyBit: UInt64,
        isKey: (Int) -> Bool,
        bitsOfKey: (Int) -> UInt64
    ) -> Int {
        let nodes = nodes
        let cursor = unsafe state.pointee.cursor
        let end = unsafe state.pointee.end
        let position = nodes.keyPosition(
            from: nodes.firstChild(of: object),
            cursor: cursor,
            to: end,
            passed: mayPrecedeCursor(keyBit, number) ? .mayHaveKey : .lackKey,
            where: isKey
        )
        guard position < end else { return -1 }
        unsafe state.pointee.requested |= bit(number)
        guard position >= cursor else { return position &+ 1 }
        unsafe state.pointee.skipped |= nodes.filterBits(ofKeysFrom: cursor, to: position, bitsOfKey)
        return found(keyAt: position)
    }

    /// Returns the position of a key's value, found by name, or -1. By default, the first few look-ups search the
    /// members as ``Json`` does. Later look-ups, and all look-ups that differ from the default, use a dictionary of all
    /// members.
    @inline(never)
    func find(named name: String) -> Int {
        if let names = unsafe state.pointee.names { return names.position(of: name) }
        unsafe state.pointee.namesRequested &+= 1
        if unsafe !context.needsSpecialLookup && state.pointee.namesRequested <= 4 {
            let position = name.withJsonBytes { nodes.member(KeyPattern($0), of: object) }
            return position == 0 ? -1 : position
        }
        let names = makeNames()
        unsafe state.pointee.names = names
        return names.position(of: name)
    }

    func makeNames() -> MemberNames {
        let keepsKeys = unsafe state.pointee.cache?.pointee.isOfDictionaries ?? false
        return MemberNames(
            of: nodes,
            at: object,
            by: keepsKeys ? .useDefaultKeys : context.settings.keys,
            context.convertedNames,
            firstWins: context.firstWins,
            path: path,
            declaredBy: unsafe state.pointee.cache?.pointee.source
        )
    }

    /// Returns the keys in the order of the document. With a naming, later look-ups are by name, so that each listed
    /// key is found.
    func listAll<Key: CodingKey>(as type: Key.Type) -> [Key] {
        let names = unsafe state.pointee.names ?? makeNames()
        if case .naming = context.settings.keys {
            unsafe state.pointee.names = names
            unsafe use(nil)
        }
        return names.listAll(as: type)
    }
}

// Decoders for members, and the errors about them.

extension KeyedReader {
    /// Returns a decoder for a member's value.
    func child(_ key: some CodingKey, at position: Int) throws -> ValueDecoder {
        try withNode(of: key) { node in try context.makeChild(at: position, node) }
    }

    /// Returns a decoder for the value of the member `super`. If there is no such member, the decoder decodes `null`.
    func superDecoder() throws -> ValueDecoder {
        let key = PathKey.super
        let position = find(named: key.stringValue)
        if position < 0 { return decoderOfNull(at: key) }
        return try withNamedNode(of: key) { node in try context.makeChild(at: position, node) }
    }

    /// Returns a decoder that decodes `null`, for the super decoder of a missing member.
    func decoderOfNull(at key: some CodingKey) -> ValueDecoder { .forNull(context.settings, path: path(to: key)) }

    /// Calls the closure with the coding path of a key's value.
    @inline(__always)
    func withNode<Key: CodingKey, Value>(of key: Key, _ body: (CodingPathNode) throws -> Value) rethrows -> Value {
        if let cache = unsafe state.pointee.cache, let source = unsafe cache.pointee.source {
            let number = KeyTable.number(of: key)
            return try body(
                unsafe CodingPathNode(in: state.pointee.node, source: .passUnretained(source), number: number)
            )
        }
        return try withNamedNode(of: key, body)
    }

    /// Works as ``withNode(of:_:)`` without the key table: the path holds the key itself.
    private func withNamedNode<Value>(
        of key: any CodingKey,
        _ body: (CodingPathNode) throws -> Value
    ) rethrows -> Value {
        try withNode(of: [key], body)
    }

    /// Calls the closure with the coding path of the value at the end of a path.
    func withNode<Value>(of path: [any CodingKey], _ body: (CodingPathNode) throws -> Value) rethrows -> Value {
        let base = CodingPathBase(path)
        return try withExtendedLifetime(base) {
            try body(unsafe CodingPathNode(in: state.pointee.node, source: .passUnretained(base), number: 0))
        }
    }
}

// MARK: - Members that may be missing or unreadable

extension KeyedReader {
    /// Returns the index position of a member's value.
    @inline(__always)
    func position<Key: CodingKey>(of key: Key) throws -> Int {
        let position = find(key)
        if position < 0 { throw unreadable(Key.self, key, at: position) }
        return position
    }

    /// Returns the position of a member's value; `nil` if the member is missing or `null`.
    @inline(__always)
    func presentPosition<Key: CodingKey>(of key: Key) -> Int? {
        let position = find(key)
        return position < 0 || nodes.tag(at: position) == .null ? nil : position
    }

    /// Reads the scalar of a required member.
    @inline(__always)
    func required<Key: CodingKey, Value>(_ key: Key, _ read: (JsonNodes, Int) -> Value?) throws -> Value {
        let position = find(key)
        if position >= 0, let value = read(nodes, position) { return value }
        throw unreadable(Value.self, key, at: position)
    }

    /// Reads the scalar of an optional member; returns `nil` if the member is missing or `null`, or if it is left out.
    @inline(__always)
    func optional<Key: CodingKey, Value>(_ key: Key, _ read: (JsonNodes, Int) -> Value?) throws -> Value? {
        guard let position = presentPosition(of: key) else { return nil }
        if let value = read(nodes, position) { return value }
        return try leaveOut(Value.self, key, at: position)
    }

    /// Handles a scalar that cannot be read: a tolerant call may leave it out, any other call throws.
    @inline(never)
    private func leaveOut<Key: CodingKey, Value>(_ type: Value.Type, _ key: Key, at position: Int) throws -> Value? {
        let error = failure(type, key, at: position)
        guard let tolerance = context.settings.tolerance else { throw error }
        return try tolerance.optional(type, at: path(to: key)) { throw error }
    }

    /// Makes the error for a missing or unreadable value. A separate function keeps the callers small.
    @inline(never)
    private func unreadable<Key: CodingKey>(_ type: Any.Type, _ key: Key, at position: Int) -> DecodingError {
        position < 0 ? missing(key) : failure(type, key, at: position)
    }

    func missing(_ key: any CodingKey) -> DecodingError {
        .keyNotFound(
            key,
            .init(codingPath: path, debugDescription: "The object has no member \"\(key.stringValue)\".")
        )
    }

    func failure(_ type: Any.Type, _ key: any CodingKey, at position: Int) -> DecodingError {
        context.failure(type, at: position, path(to: key))
    }
}

extension KeyedReader {
    /// Releases a container when the frame that registered it ends. A container that user code retains is detached.
    func release(isSurplus: Bool) {
        let isFree = unsafe isKnownUniquelyReferenced(&state.pointee.retainProbe)
        if isFree, unsafe state.pointee.reusesBox, let cache = unsafe state.pointee.cache {
            if isSurplus { return deallocate() }
            if unsafe state.pointee.names != nil { unsafe state.pointee.names = nil }
            unsafe state.pointee.next = cache.pointee.idle
            unsafe cache.pointee.idle = state
            return
        }
        if !isFree { detach() }
        if unsafe state.pointee.reusesBox {
            unsafe DecodingSession.idle.adopt(state)
        } else {
            // The holder (`retainProbe`) owns the state and frees it when its last reference ends: here, or later if
            // user code still retains the container.
            let holder = unsafe state.pointee.retainProbe
            unsafe state.pointee.retainProbe = nil
            withExtendedLifetime(holder) {}
        }
    }

    /// Makes the container independent of its session.
    private func detach() {
        let detachment = Detachment(context, path: path)
        unsafe state.pointee.context = detachment.context
        unsafe state.pointee.node = detachment.nodePointer
        unsafe state.pointee.cache = nil
        unsafe state.pointee.table = nil
        unsafe state.pointee.entries = nil
        unsafe state.pointee.next = nil
        unsafe state.pointee.detachment = detachment
    }
}
