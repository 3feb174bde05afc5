/// A keyed container's view of its object. One word, so that the standard library's box around it can be used again.
///
/// **Bound.** The state belongs to a session's list of idle containers, to the frame that has handed it out, or to the
/// keeper of what user code holds; all of them outlive the container.
@safe
struct KeyedReader {
    /// The state's address. As a number and not as a pointer, which is never null: any number will do, so that the
    /// runtime has ready-made code that copies this type, where others are copied by their size.
    private let address: UInt

    @inline(__always)
    var state: UnsafeMutablePointer<KeyedState> {
        // Bound: `address` is that of a state.
        unsafe UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped
    }

    init(_ state: UnsafeMutablePointer<KeyedState>) { address = UInt(bitPattern: state) }

    /// A reader with a state of its own.
    init(_ context: DecodingContext, place: UnsafePointer<CodingPathNode>) {
        let state = UnsafeMutablePointer<KeyedState>.allocate(capacity: 1)
        unsafe state.initialize(to: KeyedState(context: context, nodes: context.nodes, place: place))
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

    /// The keys that lead to the object, and one of its own.
    func path(to key: (any CodingKey)?) -> [any CodingKey] {
        unsafe state.pointee.place.pointee.path(in: nodes, and: key)
    }

    /// Stands before the first member of an object.
    @inline(__always)
    func aim(at object: Int, place: UnsafePointer<CodingPathNode>, _ table: UnsafeMutablePointer<KeyTable>?) {
        let nodes = context.nodes
        unsafe state.pointee.nodes = nodes
        unsafe state.pointee.object = object
        unsafe state.pointee.place = place
        unsafe state.pointee.cursor = nodes.firstChild(of: object)
        unsafe state.pointee.end = nodes.words.next(after: object)
        unsafe state.pointee.asked = 0
        unsafe state.pointee.skipped = 0
        unsafe state.pointee.last = object
        unsafe state.pointee.namesAsked = 0
        unsafe use(table)
        if context.convertsKeys { findByConvertedNames() }
    }

    /// Looks keys up in a table from now on, or by name.
    @inline(__always)
    func use(_ table: UnsafeMutablePointer<KeyTable>?) {
        unsafe state.pointee.table = table
        unsafe state.pointee.entries = table?.pointee.readable
        unsafe state.pointee.room = table?.pointee.capacity ?? 0
    }

    @inline(never)
    private func findByConvertedNames() {
        if unsafe context.spellings != nil, let keys = unsafe state.pointee.home?.convertedKeys() {
            // Bound: the keys are freed with their home, which outlives the session's containers.
            unsafe withUnsafeMutablePointer(to: &keys.pointee.table) { table in unsafe use(table) }
            return
        }
        if useNamedKeys() { return }
        unsafe use(nil)
        unsafe state.pointee.names = makeNames()
    }
}

// MARK: - Look-up

extension KeyedReader {
    /// The index position of a key's value, or -1.
    @inline(__always)
    func find<Key: CodingKey>(_ key: Key) -> Int {
        if let entries = unsafe state.pointee.entries {
            let number = KeyTable.byte(of: key)
            // Bound: number < room.
            if unsafe number < state.pointee.room, unsafe isNext(entries + number, number) {
                unsafe state.pointee.asked |= bit(number)
                return unsafe found(keyAt: state.pointee.cursor)
            }
        }
        return findElsewhere(key)
    }

    /// Whether the key at the cursor is the requested one, and cannot be before the cursor as well.
    @inline(__always)
    private func isNext(_ entry: UnsafePointer<EncodedKey>, _ number: Int) -> Bool {
        let cursor = unsafe state.pointee.cursor
        return unsafe !mayStandBefore(entry, number) && cursor < state.pointee.end && entry.matches(nodes, at: cursor)
    }

    @inline(__always)
    private func mayStandBefore(_ entry: UnsafePointer<EncodedKey>, _ number: Int) -> Bool {
        unsafe (state.pointee.asked & bit(number)) | (state.pointee.skipped & entry.pointee.hash) != 0
    }

    /// The key's bit in the set of those asked for.
    @inline(__always)
    private func bit(_ number: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: number & 63) }

    @inline(__always)
    private func found(keyAt position: Int) -> Int {
        unsafe state.pointee.cursor = nodes.words.next(after: position &+ 1)
        unsafe state.pointee.last = position
        return position &+ 1
    }

    /// The position of a key's value, for a key that is not at the cursor, was requested before, or is not in the
    /// table.
    @inline(never)
    private func findElsewhere<Key: CodingKey>(_ key: Key) -> Int {
        guard let table = unsafe state.pointee.table, let home = unsafe state.pointee.home, unsafe home.isFixed(key)
        else {
            return find(named: key.stringValue)
        }
        if let spellings = unsafe context.spellings { return unsafe findConverted(key, table, spellings) }
        if context.namingNumber != 0 { return findNamed(key) }
        let number = KeyTable.number(of: key)
        let entry = unsafe table.pointee.entry(number, for: key)
        unsafe use(table)
        if unsafe entry.matches(nodes, at: state.pointee.last) { return unsafe state.pointee.last &+ 1 }
        return unsafe findElsewhere(entry, number)
    }

    func findElsewhere(_ entry: UnsafePointer<EncodedKey>, _ number: Int) -> Int {
        let nodes = nodes
        let cursor = unsafe state.pointee.cursor
        let end = unsafe state.pointee.end
        var position = unsafe mayStandBefore(entry, number) ? nodes.firstChild(of: object) : cursor
        while position < end {
            if unsafe entry.matchesUnescaped(nodes, at: position) { break }
            position = nodes.words.next(after: position &+ 1)
        }
        guard position < end else { return -1 }
        unsafe state.pointee.asked |= bit(number)
        guard position >= cursor else { return position &+ 1 }
        var passed = cursor
        while passed < position {
            unsafe state.pointee.skipped |= EncodedKey.hash(of: nodes, at: passed)
            passed = nodes.words.next(after: passed &+ 1)
        }
        return found(keyAt: position)
    }

    /// The position of a key's value where keys are converted: compares the names that the object's keys are converted
    /// to, and notes the spelling of the one that was found, so that it is found by its bytes next time.
    private func findConverted<Key: CodingKey>(
        _ key: Key,
        _ table: UnsafeMutablePointer<KeyTable>,
        _ spellings: UnsafeMutablePointer<KeyConversionCache>
    ) -> Int {
        let nodes = nodes
        let number = KeyTable.number(of: key)
        guard let name = unsafe state.pointee.home?.convertedKeys()?.pointee.name(number, of: key, in: spellings) else {
            return find(named: key.stringValue)
        }
        let entry = unsafe table.pointee.entry(number)
        if unsafe entry.matches(nodes, at: state.pointee.last) { return unsafe state.pointee.last &+ 1 }
        let nameBit = DecodingKeyTable.bit(ofName: name)
        let cursor = unsafe state.pointee.cursor
        let end = unsafe state.pointee.end
        let isDoubtful = unsafe (state.pointee.asked & bit(number)) | (state.pointee.skipped & nameBit) != 0
        var position = isDoubtful ? nodes.firstChild(of: object) : cursor
        var passed: UInt64 = 0
        while position < end {
            let other = unsafe spellings.pointee.number(of: nodes, at: position)
            if other == name { break }
            if position >= cursor { passed |= other < 0 ? .max : DecodingKeyTable.bit(ofName: other) }
            position = nodes.words.next(after: position &+ 1)
        }
        guard position < end else { return -1 }
        unsafe state.pointee.asked |= bit(number)
        if unsafe entry.pointee.length < 0 {
            unsafe table.pointee.spell(number, nodes.string(at: position), hash: nameBit)
            unsafe use(table)
        }
        guard position >= cursor else { return position &+ 1 }
        unsafe state.pointee.skipped |= passed
        return found(keyAt: position)
    }

    /// The position of a key's value, found by name. A few names are looked for one by one; then all members are put in
    /// a dictionary.
    @inline(never)
    func find(named name: String) -> Int {
        if let names = unsafe state.pointee.names { return names.position(of: name) }
        unsafe state.pointee.namesAsked &+= 1
        // The index has no lengths for the longest names.
        if unsafe context.convertsKeys || state.pointee.namesAsked > 4 || name.utf8.count >= IndexWord.unknownLength {
            let names = makeNames()
            unsafe state.pointee.names = names
            return names.position(of: name)
        }
        let entry = EncodedKey(name)
        defer { entry.deallocate() }
        return unsafe withUnsafePointer(to: entry) { entry in
            var position = nodes.firstChild(of: object)
            while unsafe position < state.pointee.end {
                if unsafe entry.matchesUnescaped(nodes, at: position) { return position &+ 1 }
                position = nodes.words.next(after: position &+ 1)
            }
            return -1
        }
    }

    func makeNames() -> MemberNames {
        MemberNames(
            of: nodes,
            at: object,
            by: context.settings.keys,
            context.convertedNames,
            firstWins: context.firstWins,
            path: path
        )
    }

    /// The names that types see, in the order of the document.
    var allNames: [String] {
        let names = unsafe state.pointee.names ?? makeNames()
        return names.order
    }
}
