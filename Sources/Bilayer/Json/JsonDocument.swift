import Foundation

/// A parsed text that owns its bytes and its index. Each view (a ``Json`` of the text or of a part of it) retains the
/// document.
///
/// **Bound.** Both pointers inside ``nodes`` are valid as long as the document. Only its `deinit` frees the index and
/// releases the text.
@safe
@usableFromInline
// Sendable: all properties except `tables` and `knownReasons` are constants, and these two are only used with
// `tablesLock` held. The memory behind the pointers is not written after `init`, except the third word of each
// container (``IndexWord``), which is only used as an atomic.
final class JsonDocument: @unchecked Sendable {
    /// The text and its index. They are valid as long as the document is retained, as it is during ``withNodes(_:)``.
    /// Code that reads this property directly must retain the document until the last use of the nodes: in a variable
    /// that it uses later, or for a whole call.
    let nodes: JsonNodes
    /// The greatest offset of a key from which 16 bytes can be read. Negative if the last of equal keys counts, because
    /// ``nextMemberPosition(_:in:size:)`` finds the first.
    let lastComparedOffset: Int
    /// Whether the text has no white space before or between tokens.
    let isCompact: Bool
    /// Whether values may be nested so deeply that decoding and mapping must check the stack.
    private let mayBeDeep: Bool
    /// The rule for equal keys.
    let repeatedKeys: IndexOptions.RepeatedKeys

    private var tables = MemberTables()
    private var knownReasons: [Int: Int]?
    private let text: TextStorage
    private let index: UnsafeMutablePointer<UInt64>

    private init(
        _ text: consuming TextStorage,
        index built: BuiltIndex,
        repeatedKeys: IndexOptions.RepeatedKeys = .firstWins
    ) {
        let bytes = text.bytes
        self.text = text
        self.repeatedKeys = repeatedKeys
        lastComparedOffset = repeatedKeys == .lastWins ? -1 : bytes.count &- 16
        isCompact = built.isCompact
        mayBeDeep = built.mayBeDeep
        unsafe index = built.words
        nodes = unsafe JsonNodes(bytes: bytes, words: IndexWords(built.words, count: built.count))
    }

    deinit {
        unsafe freeBytes(index)
        text.release()
    }

    /// Parses a text. The document retains the `Data`.
    static func parse(_ data: consuming Data, options: IndexOptions) throws(JsonSyntaxError) -> JsonDocument {
        try parse(TextStorage(data), options: options)
    }

    /// Parses a copy of a text.
    static func parse(
        copying text: some Collection<UInt8>,
        options: IndexOptions
    ) throws(JsonSyntaxError) -> JsonDocument {
        // The size is checked before the copy is made.
        if text.count > IndexBuilder.maximumTextSize {
            throw JsonSyntaxError(.tooLarge, in: unsafe JsonBytes(UnsafeRawBufferPointer(start: nil, count: 0)))
        }
        return try parse(TextStorage(copying: text), options: options)
    }

    private static func parse(
        _ text: consuming TextStorage,
        options: IndexOptions
    ) throws(JsonSyntaxError) -> JsonDocument {
        let document = try index(text, options: options)
        if options.repeatedKeys == .reject, let fault = document.withNodes({ $0.duplicateKeyFault() }) {
            throw document.withNodes { JsonSyntaxError(fault, in: $0.bytes) }
        }
        return document
    }

    private static func index(
        _ text: consuming TextStorage,
        options: IndexOptions
    ) throws(JsonSyntaxError) -> JsonDocument {
        do throws(SyntaxFault) {
            let built = try IndexBuilder.index(of: text.bytes, options: options)
            return JsonDocument(text, index: built, repeatedKeys: options.repeatedKeys)
        } catch {
            defer { text.release() }
            throw JsonSyntaxError(error, in: text.bytes)
        }
    }

    /// Parses a text that this library wrote and that is therefore valid. A text that exceeds the limits of an index
    /// becomes `null`.
    static func parse(trusted data: Data) -> JsonDocument {
        let text = TextStorage(data)
        do throws(SyntaxFault) {
            return JsonDocument(
                text,
                index: try IndexBuilder.index(of: text.bytes, options: IndexOptions(maximumDepth: .max))
            )
        } catch {
            return JsonDocument(text, index: .null)
        }
    }

    /// Whether values may be nested deeply and the thread's stack has no room for another nested value.
    @usableFromInline
    var isStackLow: Bool { mayBeDeep && StackSpace.isLow }

    /// Returns the position of a member's value in a large object; 0 if there is no such member. If a key is repeated,
    /// ``repeatedKeys`` selects the member.
    @inline(never)
    func memberOfLargeObject(_ key: String, of object: Int) -> Int {
        let table = table(of: object) {
            withNodes { MemberTable($0, of: object, lastWins: repeatedKeys == .lastWins) }
        }
        guard let table else { return memberBySearch(key, of: object) }
        return key.withJsonBytes { key in withNodes { table.member(KeyPattern(key), in: $0) } }
    }

    /// Returns the table of the object at a position; nil if it is not built yet. The first few look-ups get nil and
    /// compare keys. The next look-up builds the table. Until the table is stored, other threads get nil, too. The lock
    /// is held while a table is found or stored, but not while a table is built or searched.
    func table(of object: Int, build: () -> MemberTable) -> MemberTable? {
        let (known, isDue) = Self.tablesLock.withLock { tables.countLookUp(in: object) }
        guard isDue else { return known }
        let table = build()
        Self.tablesLock.withLock { tables.insert(table, of: object) }
        return table
    }

    /// Returns the reasons for values: for the position of a value, the position of another value that explains it. For
    /// example, an error in a GraphQL response explains a `null`. `search` computes the dictionary for the whole text.
    /// It runs once, unless several threads call this method at the same time. Positions are stored instead of values,
    /// because a stored value would retain the document.
    func reasons(_ search: (JsonDocument) -> [Int: Int]) -> [Int: Int] {
        if let known = Self.tablesLock.withLock({ knownReasons }) { return known }
        let found = search(self)
        Self.tablesLock.withLock { knownReasons = found }
        return found
    }

    /// One lock for all documents. A lock in each document would cost more than parsing a small text.
    private static let tablesLock = NSLock()

    /// Calls `read` with the nodes. The document is retained during the call.
    @inline(__always)
    func withNodes<Result, Failure: Error>(_ read: (JsonNodes) throws(Failure) -> Result) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try read(nodes)
    }
}

extension JsonDocument {
    /// Returns the position of a member's value, found by comparing keys, without a table; 0 if there is no such
    /// member. The value at `object` must be an object.
    @inline(__always)
    func memberBySearch(_ key: String, of object: Int) -> Int {
        if let key = SmallString(ascii: key) { return memberBySearch(key, of: object) }
        return key.withJsonBytes { memberBySearch(KeyPattern($0), of: object) }
    }

    @inline(__always)
    private func memberBySearch(_ key: some LookupKey, of object: Int) -> Int {
        withNodes { repeatedKeys == .lastWins ? $0.lastMember(key, of: object) : $0.member(key, of: object) }
    }
}

extension JsonNodes {
    /// Returns the capacity to reserve for the elements of a container before the first element is read.
    @inline(__always)
    func capacity<Element>(for count: Int, of type: Element.Type, in container: Int) -> Int {
        capacity(for: count, stride: MemoryLayout<Element>.stride, in: container)
    }

    /// Returns the capacity to reserve for a dictionary with an object's members. Each member is counted twice, because
    /// a dictionary's hash table has about twice as many slots as members.
    @inline(__always)
    func tableCapacity<Value>(for count: Int, of type: Value.Type, in container: Int) -> Int {
        capacity(for: count, stride: 2 &* MemoryLayout<(String, Value)>.stride, in: container)
    }

    /// Returns the capacity to reserve for the parts of a container before the first part is read.
    /// - Parameters:
    ///   - count: The number of parts.
    ///   - stride: The memory for each part, in bytes.
    ///   - container: The position of the container.
    /// - Returns: The number of parts to reserve memory for.
    @inline(__always)
    func capacity(for count: Int, stride: Int, in container: Int) -> Int {
        Reservation.capacity(for: count, stride: stride, textBytes: unsafe words[unchecked: container].shortLength)
    }
}
