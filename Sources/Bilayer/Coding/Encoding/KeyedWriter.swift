/// A keyed container's view of the object that it writes. The view is one word, so that the standard library's box
/// around the container can be reused.
///
/// **Bound.** The state outlives the container, for the same reasons as that of a ``KeyedReader``.
@safe
struct KeyedWriter {
    let state: UnsafeMutablePointer<KeyedEncodingState>

    init(_ state: UnsafeMutablePointer<KeyedEncodingState>) { unsafe self.state = state }

    func deallocate() {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    @inline(__always)
    var context: EncodingContext { unsafe state.pointee.context }
    var node: CodingPathNode { unsafe state.pointee.frame.pointee.node.pointee }
    var path: [any CodingKey] { node.path(in: nil) }

    /// Begins a member: writes its key. The caller then writes the value.
    @inline(__always)
    func begin<Key: CodingKey>(_ key: Key) throws -> BegunValue {
        guard let entries = unsafe state.pointee.entries else { return try beginSlowly(key) }
        let number = KeyTable.byte(of: key)
        guard unsafe number < state.pointee.entryCount else { return try beginSlowly(key) }
        // Bound: there are `entryCount` readable entries, and at most 64, so that each number has a bit.
        let entry = unsafe entries + number
        let frame = unsafe state.pointee.frame
        let segment = unsafe frame.pointee.segment
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number)
        guard unsafe frame.pointee.written & bit == 0, unsafe segment.top == frame, unsafe entry.pointee.memberCount > 0
        else { return try beginSlowly(key) }
        let begun = BegunValue(at: segment.count, of: segment)
        unsafe frame.pointee.written |= bit
        unsafe segment.write(member: entry, isFirst: frame.pointee.count == 0)
        unsafe frame.pointee.count &+= 1
        return begun
    }

    /// Begins a member for which the fast path is not possible. The reason is the first use of a key, a repeated key, a
    /// key that is written by name or has no bit in ``EncodingFrame/written``, a container that is not the innermost,
    /// or the end of the call.
    @inline(never)
    private func beginSlowly<Key: CodingKey>(_ key: Key) throws -> BegunValue {
        guard let begun = unsafe state.pointee.frame.begin() else { throw ended(key) }
        // Here the call is still running. Without a table, keys have no numbers.
        guard let cache = unsafe state.pointee.cache, let table = unsafe cache.pointee.table,
            unsafe table.pointee.canCacheName(key),
            let entry = unsafe entry(KeyTable.number(of: key), for: key, in: cache)
        else { return begin(named: key, begun) }
        let frame = unsafe state.pointee.frame
        let number = KeyTable.number(of: key)
        // As `bit(of:)`, which would look for the table again.
        let ownsBits = unsafe frame.pointee.cache == UnsafeMutableRawPointer(cache)
        let bit: UInt64 = number < 64 && ownsBits ? 1 &<< UInt64(truncatingIfNeeded: number) : 0
        if bit != 0, unsafe frame.pointee.written & bit == 0 {
            unsafe frame.pointee.written |= bit
        } else {
            unsafe recordName(entry.pointee.nameHash, of: key, at: begun, name(of: key))
        }
        // The frame's `begin` has written the comma.
        unsafe begun.segment.write(member: entry, isFirst: true)
        return begun
    }

    /// Returns the key's bit in ``EncodingFrame/written``; `nil` if the key has none.
    private func bit<Key: CodingKey>(of key: Key) -> UInt64? {
        guard let cache = unsafe state.pointee.cache, unsafe cache.pointee.table != nil,
            unsafe state.pointee.frame.pointee.cache == UnsafeMutableRawPointer(cache)
        else { return nil }
        let number = KeyTable.number(of: key)
        return number < 64 ? 1 &<< UInt64(truncatingIfNeeded: number) : nil
    }

    /// Removes a member whose value failed, so that its key can be written again.
    func discard<Key: CodingKey>(_ begun: BegunValue, _ key: Key) {
        let frame = unsafe state.pointee.frame
        unsafe frame.pointee.count &-= 1
        begun.discard()
        if unsafe frame.pointee.names == nil {
            if let bit = bit(of: key) { unsafe frame.pointee.written &= ~bit }
        } else {
            unsafe frame.pointee.names?.pointee.remove(EncodedKey.nameHash(of: name(of: key)), at: begun.start)
        }
    }

    /// Returns the JSON key for a coding key.
    private func name(of key: some CodingKey) -> String {
        if let cache = unsafe state.pointee.cache, unsafe cache.pointee.isOfDictionaries { return key.stringValue }
        guard case .custom(let convert) = context.settings.keys else { return context.settings.keys.name(for: key) }
        if unsafe state.pointee.customPath.isEmpty {
            unsafe state.pointee.customPath = node.path(in: nil, and: key)
        } else {
            unsafe state.pointee.customPath[state.pointee.customPath.count - 1] = key
        }
        return convert(unsafe state.pointee.customPath).stringValue
    }

    /// Returns the bytes to write for a key; `nil` if the key is written by name.
    private func entry(
        _ number: Int,
        for key: some CodingKey,
        in cache: UnsafeMutablePointer<KeyTypeCache<KeyedEncodingState>>
    ) -> UnsafePointer<EncodedKey>? {
        if context.keepsKeys { return unsafe cache.pointee.table?.pointee.entryToWrite(number) { key.stringValue } }
        return unsafe context.writtenKeys(of: cache)?.pointee
            .entry(number) { name(of: key) }
    }

    /// Prepares to write keys by their numbers. This requires that ``EncodingFrame/written`` holds the bits of the
    /// container's key type.
    @inline(__always)
    func findEntries() {
        guard let cache = unsafe state.pointee.cache, let table = unsafe cache.pointee.table,
            unsafe state.pointee.frame.pointee.cache == UnsafeMutableRawPointer(cache), context.keepsKeys
        else { return findConvertedEntries() }
        unsafe state.pointee.entries = table.pointee.readable
        unsafe state.pointee.entryCount = min(table.pointee.capacity, 64)
    }

    @inline(never)
    private func findConvertedEntries() {
        unsafe state.pointee.customPath = []
        guard let cache = unsafe state.pointee.cache,
            unsafe state.pointee.frame.pointee.cache == UnsafeMutableRawPointer(cache),
            let keys = unsafe context.writtenKeys(of: cache)
        else {
            unsafe state.pointee.entries = nil
            return
        }
        unsafe state.pointee.entries = keys.pointee.table.readable
        unsafe state.pointee.entryCount = keys.pointee.table.capacity
    }

    /// Begins a member whose key is written by name, because no table has the key's bytes.
    @inline(never)
    private func begin<Key: CodingKey>(named key: Key, _ begun: BegunValue) -> BegunValue {
        let name = name(of: key)
        recordName(EncodedKey.nameHash(of: name), of: key, at: begun, name)
        begun.segment.write(name)
        begun.segment.write(byte: Ascii.colon)
        return begun
    }

    /// Records a key by the hash of its name, for an object whose keys cannot be distinguished by one bit each.
    @inline(__always)
    private func recordName<Key: CodingKey>(
        _ hash: UInt64,
        of key: Key,
        at begun: BegunValue,
        _ name: @autoclosure () -> String
    ) {
        let property = property(of: key)
        if let first = unsafe writtenNames().pointee.insert(hash, at: begun.start, property) {
            let isClash = first != property && mayClash(key, first)
            context.recordRepeated(name(), isClash: isClash, in: node, begun.segment)
        }
    }

    /// Whether two properties of one name are a clash. Without a path and without a naming, the last value counts
    /// without a report, as in Foundation.
    @inline(never)
    private func mayClash<Key: CodingKey>(_ key: Key, _ first: WrittenNames<FrameOwner>.Property) -> Bool {
        Key.self == PathStep.self || first.isOnPath || context.settings.keys.isNaming
    }

    /// Returns the property of a key: its key type and its number or name. A part of an object may have a property of
    /// the same name as another part.
    @inline(__always)
    private func property<Key: CodingKey>(of key: Key) -> WrittenNames<FrameOwner>.Property {
        // To compare the types takes less time than to cast the key.
        if Key.self == PathStep.self { return pathProperty(of: key) }
        if !context.convertsNames { return .unknown }
        // The key `super` is no key of the container's type.
        if Key.self != PathKey.self, let cache = unsafe state.pointee.cache, unsafe cache.pointee.table != nil {
            return unsafe .init(number: KeyTable.number(of: key), in: cache)
        }
        return namedProperty(of: key)
    }

    @inline(never)
    private func pathProperty(of key: some CodingKey) -> WrittenNames<FrameOwner>.Property {
        .init(onPath: (key as? PathStep)?.propertyHash ?? 0)
    }

    @inline(never)
    private func namedProperty<Key: CodingKey>(of key: Key) -> WrittenNames<FrameOwner>.Property {
        // The keys of a dictionary are values.
        if let cache = unsafe state.pointee.cache, unsafe cache.pointee.isOfDictionaries { return .unknown }
        return .init(hash: PathStep.Property(key.stringValue, of: ObjectIdentifier(Key.self)).hash)
    }

    /// Returns the names of the written keys. From the first call of this function on, the object uses names instead of
    /// bits.
    private func writtenNames() -> UnsafeMutablePointer<WrittenNames<FrameOwner>> {
        let frame = unsafe state.pointee.frame
        if let names = unsafe frame.pointee.names { return unsafe names }
        let names = unsafe UnsafeMutablePointer<WrittenNames<FrameOwner>>.make(capacity: frame.pointee.count)
        unsafe frame.pointee.names = names
        unsafe recordBits(of: frame, in: names)
        // All bits are set, so that every later key takes the slow path, which compares names.
        unsafe frame.pointee.written = .max
        var next = unsafe frame.pointee.nested
        while let owner = next {
            if let key = unsafe owner.frame.pointee.node.pointee.path(in: nil).last {
                let name = name(of: key)
                unsafe names.pointee.record(owner, for: EncodedKey.nameHash(of: name))
            }
            next = owner.next
        }
        return unsafe names
    }

    /// Adds the names of the keys that were recorded as bits.
    private func recordBits(
        of frame: UnsafeMutablePointer<EncodingFrame>,
        in names: UnsafeMutablePointer<WrittenNames<FrameOwner>>
    ) {
        guard let address = unsafe frame.pointee.cache else { return }
        // Bound: the address points to the cache of one of this encoder's keyed containers.
        let cache = unsafe address.assumingMemoryBound(to: KeyTypeCache<KeyedEncodingState>.self)
        let converted = unsafe context.keepsKeys ? nil : context.writtenKeys(of: cache)
        var bits = unsafe frame.pointee.written
        while bits != 0 {
            let number = bits.trailingZeroBitCount
            bits &= bits &- 1
            let hash = unsafe converted?.pointee.table.nameHash(number) ?? cache.pointee.table?.pointee.nameHash(number)
            // As in `property(of:)`.
            var property = WrittenNames<FrameOwner>.Property.unknown
            if context.convertsNames { property = unsafe .init(number: number, in: cache) }
            _ = unsafe names.pointee.insert(hash ?? 0, at: 0, property)
        }
    }

    /// Makes the error for a write after the end of the call.
    func ended(_ key: any CodingKey) -> EncodingError {
        .invalidValue(
            key.stringValue,
            .init(codingPath: path + [key], debugDescription: "The encoding that this container belongs to has ended.")
        )
    }

    /// Whether the call is running.
    var isRunning: Bool { unsafe !state.pointee.frame.pointee.segment.isDead }

    /// Returns an encoder for the nested container of a key. If a container was already registered for the key, the
    /// encoder writes into that container.
    /// - Parameters:
    ///   - key: The key.
    ///   - isShared: Whether the container belongs to all properties whose paths lead through it.
    /// - Returns: The encoder.
    func nested(_ key: some CodingKey, isShared: Bool = false) -> ValueEncoder {
        guard isRunning else { return .ended(path: path + [key], userInfo) }
        switch earlier(key) {
        case .container(let owner):
            if !isShared, isOfAnotherProperty(owner, than: key) { return misused(key) }
            return context.registerEncoder(for: owner)
        case .value: return misused(key)
        case .nothing: break
        }
        guard let segment = try? begin(key).segment else { return .ended(path: path + [key], userInfo) }
        return withNode(of: key) { node in
            let owner = context.makeFrame(node, into: segment)
            register(owner, for: key)
            return context.registerEncoder(for: owner)
        }
    }

    /// Whether a nested container was written for a property of another name, because of a path or a naming. A property
    /// of the same name may continue the container, as that of a subclass does.
    private func isOfAnotherProperty(_ owner: FrameOwner, than key: some CodingKey) -> Bool {
        guard let first = unsafe owner.frame.pointee.node.pointee.path(in: nil).last else { return false }
        if let step = key as? PathStep {
            let name = (first as? PathStep)?.property ?? first.stringValue
            return name != step.property
        }
        return context.settings.keys.isNaming && first.stringValue != key.stringValue
    }

    /// Registers the nested container that was written for a key. Later requests for a nested container of the key
    /// continue that container.
    func register(_ owner: FrameOwner, for key: some CodingKey) {
        let frame = unsafe state.pointee.frame
        unsafe owner.next = frame.pointee.nested
        unsafe frame.pointee.nested = owner
        if let names = unsafe frame.pointee.names {
            let name = self.name(of: key)
            unsafe names.pointee.record(owner, for: EncodedKey.nameHash(of: name))
        }
    }

    /// The kind of value that was written for a key.
    enum Earlier {
        /// No value, or one that failed and was removed.
        case nothing
        /// A value that nothing can be added to.
        case value
        /// A nested container, which another container for the key continues.
        case container(FrameOwner)
    }

    /// Returns the kind of value that was written for a key; `.nothing` after the end of the call.
    func earlier(_ key: some CodingKey) -> Earlier {
        let frame = unsafe state.pointee.frame
        guard isRunning, unsafe frame.pointee.count > 0 else { return .nothing }
        // A bit says whether this key was written. Only if no other key has its name, no other key counts.
        if unsafe frame.pointee.names == nil, let bit = bit(of: key), unsafe frame.pointee.written & bit == 0,
            isOnlyKeyOfItsName(key)
        {
            return .nothing
        }
        let names = unsafe writtenNames()
        let hash = EncodedKey.nameHash(of: name(of: key))
        if let container = unsafe names.pointee.container(hash) { return .container(container) }
        return unsafe names.pointee.contains(hash) ? .value : .nothing
    }

    /// Whether a table has the key's bytes. It has none for keys that share a name.
    private func isOnlyKeyOfItsName(_ key: some CodingKey) -> Bool {
        guard let cache = unsafe state.pointee.cache, unsafe cache.pointee.table?.pointee.canCacheName(key) == true
        else { return false }
        return unsafe entry(KeyTable.number(of: key), for: key, in: cache) != nil
    }

    /// Records an error for a nested container whose key already has a value. The call throws the error at its end.
    /// Returns an encoder whose output is discarded.
    private func misused(_ key: some CodingKey) -> ValueEncoder {
        let frame = unsafe state.pointee.frame
        return withNode(of: key) { node in
            unsafe context.recordMisuse("A nested container for a key that has a value.", at: node, in: frame)
            return unsafe context.makeChild(node, into: frame.pointee.segment.makeSegment(level: 0, isPart: true))
        }
    }

    /// Returns an encoder for a key's value. User code may write the value at any time before the end of the call.
    func superEncoder<Key: CodingKey>(forKey key: Key) -> ValueEncoder {
        guard let begun = try? begin(key) else { return .ended(path: path + [key], userInfo) }
        return withNode(of: key) { node in context.makeChild(node, into: begun.segment) }
    }

    /// Returns an encoder for the value of the key `super`, which is not a key of the type.
    func superEncoder() -> ValueEncoder {
        let key = PathKey.super
        guard let begun = unsafe state.pointee.frame.begin() else { return .ended(path: path + [key], userInfo) }
        _ = begin(named: key, begun)
        return withNamedNode(of: key) { node in context.makeChild(node, into: begun.segment) }
    }

    private var userInfo: [CodingUserInfoKey: Any] { unsafe state.pointee.retainedEncoder?.userInfo ?? [:] }

    /// Returns the coding path of a key's value; `nil` if the key has no number. The node is valid as long as the
    /// container is open.
    @inline(__always)
    func numberedNode<Key: CodingKey>(of key: Key) -> CodingPathNode? {
        guard let source = unsafe state.pointee.cache?.pointee.source else { return nil }
        let number = KeyTable.number(of: key)
        return unsafe CodingPathNode(in: outerNode, source: .passUnretained(source), number: number)
    }

    /// Calls the closure with the coding path of a key without a number. One object serves all keys of the container.
    @inline(never)
    func withReusedKey<Key: CodingKey>(_ key: Key, _ body: (CodingPathNode) throws -> Void) throws {
        // While a value is encoded, user code may begin another one in the same container.
        guard unsafe state.pointee.isReusedKeyFree else { return try withNode(keyedBy: ReusedKey(key), body) }
        guard let known = unsafe state.pointee.reusedKey else {
            unsafe state.pointee.reusedKey = ReusedKey(key)
            return try withReusedKey(key, body)
        }
        // Bound: a container's state keeps its key type as long as it holds this object.
        unsafe unsafeDowncast(known, to: ReusedKey<Key>.self).key = key
        unsafe state.pointee.isReusedKeyFree = false
        defer { unsafe state.pointee.isReusedKeyFree = true }
        try withNode(keyedBy: known, body)
    }

    @inline(__always)
    private func withNode(keyedBy key: CodingKeySource, _ body: (CodingPathNode) throws -> Void) throws {
        try withExtendedLifetime(key) {
            try body(unsafe CodingPathNode(in: outerNode, source: .passUnretained(key), number: 0))
        }
    }

    /// Calls the closure with the coding path of a key's value.
    @inline(__always)
    func withNode<Key: CodingKey, Value>(of key: Key, _ body: (CodingPathNode) throws -> Value) rethrows -> Value {
        if let node = numberedNode(of: key) { return try body(node) }
        return try withNamedNode(of: key, body)
    }

    /// Calls the closure with the coding path of a key's value. The key may have any type.
    func withNamedNode<Value>(of key: any CodingKey, _ body: (CodingPathNode) throws -> Value) rethrows -> Value {
        let base = CodingPathBase([key])
        return try withExtendedLifetime(base) {
            try body(unsafe CodingPathNode(in: outerNode, source: .passUnretained(base), number: 0))
        }
    }

    @inline(__always)
    private var outerNode: UnsafePointer<CodingPathNode> { unsafe UnsafePointer(state.pointee.frame.pointee.node) }
}

/// The key of the value that a container is encoding.
private final class ReusedKey<Key: CodingKey>: CodingKeySource {
    var key: Key

    // The initializer is not inlined, so that the object's type is looked up only where an object is made.
    @inline(never)
    init(_ key: Key) { self.key = key }

    override func key(_ number: Int, part: Int) -> any CodingKey { key }
}

extension KeyedWriter {
    /// Releases a container when the frame that registered it ends. If user code retains the container, the container
    /// retains its encoder from then on.
    /// - Parameter isSurplus: Whether enough containers are idle already.
    func release(isSurplus: Bool) {
        let isFree = unsafe isKnownUniquelyReferenced(&state.pointee.retainProbe)
        if isFree, unsafe state.pointee.reusesBox, let cache = unsafe state.pointee.cache {
            if isSurplus { return deallocate() }
            if unsafe state.pointee.reusedKey != nil { unsafe state.pointee.reusedKey = nil }
            unsafe state.pointee.next = cache.pointee.idle
            unsafe cache.pointee.idle = state
            return
        }
        unsafe state.pointee.next = nil
        if !isFree { unsafe state.pointee.retainedEncoder = state.pointee.encoder.takeUnretainedValue() }
        if unsafe state.pointee.reusesBox {
            unsafe EncodingSession.idle.adopt(state)
        } else {
            // The holder (`retainProbe`) owns the state and frees it when its last reference ends: here, or later if
            // user code still retains the container.
            let holder = unsafe state.pointee.retainProbe
            unsafe state.pointee.retainProbe = nil
            withExtendedLifetime(holder) {}
        }
    }
}
