/// Where a keyed container stands in its object, and what it has seen of it so far. Look-up tries the member after the last one
/// found first: types ask for their fields mostly in the order in which servers write them.
///
/// With equal keys the first one counts, and the shortcut must not change that. So two sets of 64 bits are kept: the keys that
/// were asked for, and a hash bit of each member that was passed over. A key outside both sets cannot stand before the
/// cursor; any other is looked for from the start.
@safe
struct KeyedState: ContainerState {
    var witness: AnyObject?
    var context: DecodingContext
    var object = 0
    var place: UnsafePointer<CodingPlace>

    /// Index position of the key to try first.
    var cursor = 0
    /// Index position after the object.
    var end = 0
    var asked: UInt64 = 0
    var skipped: UInt64 = 0
    /// The last key that was found, and its value's position.
    var lastNumber = -1
    var lastValue = 0

    /// What is known about the key type; `nil` where look-up goes by name only.
    var home: UnsafeMutablePointer<KeyedHome<KeyedState>>?
    /// The table of the key type; `nil` where look-up goes by name.
    var table: UnsafeMutablePointer<KeyTable>?
    /// The object's members by name: when keys are converted, or when many names are asked for.
    var names: MemberNames?
    var namesAsked = 0

    /// Whether the witness is the standard library's box, to be used again.
    var isReused = false
    var next: UnsafeMutablePointer<KeyedState>?
    /// What keeps everything valid after the frame has ended.
    var detachment: Detachment?
}

/// What a session knows about one key type.
@safe
struct KeyedHome<State: ContainerState> {
    /// The type's keys as bytes, where one byte tells them apart.
    let table: UnsafeMutablePointer<KeyTable>?
    /// Gives them back for a path.
    var source: CodingKeySource?
    /// Where the keys stand, if they are not all members of the object itself.
    var places: KeyPlaces?
    /// Gives out the containers that can be used again.
    var vendor: AnyObject?
    /// Those containers.
    var idle: UnsafeMutablePointer<State>?
}

/// The state of a keyed container that is handed out, taken back and used again.
protocol ContainerState {
    /// The object whose count of references tells whether user code has kept the container.
    var witness: AnyObject? { get set }
    /// The next container of a list: of those handed out, or of those idle.
    var next: UnsafeMutablePointer<Self>? { get set }
}

extension UnsafeMutablePointer where Pointee: ContainerState {
    /// Where the reference to the witness stands: at the start, as ``ContainerBox/canBeReused`` makes sure.
    @inline(__always)
    var witnessAddress: UnsafeRawPointer { UnsafeRawPointer(self) }
}

extension UnsafeMutablePointer {
    static func make<Key: CodingKey, State>(_ type: Key.Type, tricks: JsonTricks) -> Self
    where Pointee == KeyedHome<State> {
        let suits = tricks.contains(.keyTables) && KeyTable.suits(type)
        let home = Self.allocate(capacity: 1)
        unsafe home.initialize(
            to: KeyedHome(
                table: suits ? .makeTable() : nil,
                source: suits ? ByteCodingKeys<Key>() : nil,
                places: KeyPlaces.of(type)
            )
        )
        return unsafe home
    }

    func destroy<State>() where Pointee == KeyedHome<State> {
        while let state = unsafe pointee.idle {
            unsafe pointee.idle = state.pointee.next
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
        }
        unsafe pointee.table?.pointee.deallocate()
        unsafe pointee.table?.deallocate()
        unsafe deinitialize(count: 1)
        unsafe deallocate()
    }
}

/// A keyed container's view of its object. One word, so that the standard library's box around it can be used again.
///
/// **Bound.** The state belongs to a session's list of idle containers, to the frame that has handed it out, or to the keeper
/// of what user code holds; all of them outlive the container.
@safe
struct KeyedReader {
    let state: UnsafeMutablePointer<KeyedState>

    init(_ state: UnsafeMutablePointer<KeyedState>) { unsafe self.state = state }

    /// A reader with a state of its own.
    init(_ context: DecodingContext, place: UnsafePointer<CodingPlace>) {
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: KeyedState(context: context, place: place))
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
    var nodes: JsonNodes { context.nodes }
    var path: [any CodingKey] { unsafe state.pointee.place.pointee.path(in: nodes) }

    /// Stands before the first member of an object.
    @inline(__always)
    func aim(at object: Int, place: UnsafePointer<CodingPlace>) {
        unsafe state.pointee.object = object
        unsafe state.pointee.place = place
        unsafe state.pointee.cursor = nodes.firstChild(of: object)
        unsafe state.pointee.end = nodes.words.next(after: object)
        unsafe state.pointee.asked = 0
        unsafe state.pointee.skipped = 0
        unsafe state.pointee.lastNumber = -1
        unsafe state.pointee.namesAsked = 0
        if unsafe state.pointee.names != nil { unsafe state.pointee.names = nil }
        if context.convertsKeys { findByConvertedNames() }
    }
}

// MARK: - Look-up

extension UnsafeMutablePointer<KeyTable> {
    fileprivate static func makeTable() -> Self {
        let table = Self.allocate(capacity: 1)
        unsafe table.initialize(to: KeyTable())
        return unsafe table
    }
}

extension KeyedReader {
    /// The index position of a key's value, or -1.
    @inline(__always)
    func find<Key: CodingKey>(_ key: Key) -> Int {
        guard let table = unsafe state.pointee.table else { return find(named: key.stringValue) }
        let number = KeyTable.number(of: key)
        if unsafe number == state.pointee.lastNumber { return unsafe state.pointee.lastValue }
        return unsafe find(table.pointee.entry(number, for: key), number)
    }

    @inline(__always)
    private func find(_ entry: UnsafePointer<KeyEntry>, _ number: Int) -> Int {
        let cursor = unsafe state.pointee.cursor
        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number & 63)
        let seen = unsafe (state.pointee.asked & bit) | (state.pointee.skipped & entry.pointee.hash)
        let end = unsafe state.pointee.end
        guard seen == 0, cursor < end, unsafe entry.pointee.matches(nodes, at: cursor) else {
            return unsafe findSlowly(entry, number, mayStandBefore: seen != 0)
        }
        unsafe state.pointee.asked |= bit
        return found(number, keyAt: cursor)
    }

    @inline(__always)
    private func found(_ number: Int, keyAt position: Int) -> Int {
        unsafe state.pointee.cursor = nodes.words.next(after: position &+ 1)
        unsafe state.pointee.lastNumber = number
        unsafe state.pointee.lastValue = position &+ 1
        return position &+ 1
    }

    @inline(never)
    private func findSlowly(_ entry: UnsafePointer<KeyEntry>, _ number: Int, mayStandBefore: Bool) -> Int {
        let nodes = nodes
        let cursor = unsafe state.pointee.cursor
        let end = unsafe state.pointee.end
        var position = mayStandBefore ? nodes.firstChild(of: object) : cursor
        while position < end {
            if unsafe entry.pointee.matchesUnescaped(nodes, at: position) { break }
            position = nodes.words.next(after: position &+ 1)
        }
        guard position < end else { return -1 }
        unsafe state.pointee.asked |= 1 &<< UInt64(truncatingIfNeeded: number & 63)
        guard position >= cursor else { return position &+ 1 }
        var passed = cursor
        while passed < position {
            unsafe state.pointee.skipped |= KeyEntry.hash(of: nodes, at: passed)
            passed = nodes.words.next(after: passed &+ 1)
        }
        return found(number, keyAt: position)
    }

    @inline(never)
    private func findByConvertedNames() {
        unsafe state.pointee.table = nil
        unsafe state.pointee.names = makeNames()
    }

    /// The same by name. A few names are looked for one by one; then it pays to put all members in a dictionary.
    @inline(never)
    private func find(named name: String) -> Int {
        if let names = unsafe state.pointee.names { return names.position(of: name) }
        unsafe state.pointee.namesAsked &+= 1
        // The index has no lengths for the longest names.
        if unsafe state.pointee.namesAsked > 4 || name.utf8.count >= IndexWord.unknownLength {
            let names = makeNames()
            unsafe state.pointee.names = names
            return names.position(of: name)
        }
        let entry = KeyEntry(name)
        defer { entry.deallocate() }
        var position = nodes.firstChild(of: object)
        while unsafe position < state.pointee.end {
            if entry.matchesUnescaped(nodes, at: position) { return position &+ 1 }
            position = nodes.words.next(after: position &+ 1)
        }
        return -1
    }

    private func makeNames() -> MemberNames {
        MemberNames(of: nodes, at: object, context: context, path: path)
    }

    /// The names that types see, in the order of the document.
    var allNames: [String] {
        let names = unsafe state.pointee.names ?? makeNames()
        return names.order
    }

    /// A decoder for a member's value.
    func child(_ key: some CodingKey, at position: Int) -> ValueDecoder {
        withPlace(of: key) { place in context.makeChild(at: position, place) }
    }

    /// A decoder for a member's value; for `null` if there is no such member.
    func superDecoder(_ key: some CodingKey) -> ValueDecoder {
        let position = find(named: key.stringValue)
        if position >= 0 { return withNamedPlace(of: key) { place in context.makeChild(at: position, place) } }
        return .forNull(context.settings, path: path + [key])
    }

    /// The place of a key's value.
    @inline(__always)
    func withPlace<Key: CodingKey, Value>(of key: Key, _ body: (CodingPlace) throws -> Value) rethrows -> Value {
        if let home = unsafe state.pointee.home, let source = unsafe home.pointee.source {
            let number = KeyTable.number(of: key)
            return try body(
                unsafe CodingPlace(in: state.pointee.place, source: .passUnretained(source), number: number)
            )
        }
        return try withNamedPlace(of: key, body)
    }

    /// The same for a key of any type.
    private func withNamedPlace<Value>(of key: any CodingKey, _ body: (CodingPlace) throws -> Value) rethrows -> Value {
        let base = CodingPathBase([key])
        return try withExtendedLifetime(base) {
            try body(unsafe CodingPlace(in: state.pointee.place, source: .passUnretained(base), number: 0))
        }
    }
}
