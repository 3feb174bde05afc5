// # How a text becomes an index
//
// One pass over the bytes checks every rule of RFC 8259. It stores one 8-byte word for each key and scalar: the type,
// the offset and the length (``IndexWord``). For each container it stores three words. No value is converted before it
// is read. The text
//
//     {"id":7,"tags":["a","é·"],"ok":true}       (é takes the bytes 21 and 22; the dot marks byte 22)
//     0         1         2         3
//     012345678901234567890123456789012345
//
// becomes
//
//      0  object         offset 0   length 36
//      1                 13 words, 3 members
//      2                 left for readers
//      3  asciiString    offset 2   length 2       id
//      4  integer        offset 6   length 1       7
//      5  asciiString    offset 9   length 4       tags
//      6  array          offset 15  length 10
//      7                 5 words, 2 elements
//      8                 left for readers
//      9  asciiString    offset 17  length 1       a
//     10  unicodeString  offset 21  length 2       é
//     11  asciiString    offset 27  length 2       ok
//     12  true           offset 31  length 4
//
// The word of a key precedes that of its value. The word left for readers is 0 at first. Later it can store where the
// next reader starts. To skip `tags`, a reader adds the size of the array, 5 in word 7, to its position, 6. The sum,
// 11, is the position of the key `ok`.
//
// The pass needs no recursion and no stack. While a container is open, its second word holds the position of the
// enclosing container and the number of that container's commas. Both are restored when the container closes. All words
// are in one array. When the array is full, it grows. Its new size is estimated from the number of words per byte so
// far.

/// One pass over a text. An `IndexBuilder` is a local value, so the compiler can keep its properties in registers. The
/// words and the depth are needed less often and stay in memory, in a ``GrowingIndex``.
struct IndexBuilder {
    private let bytes: JsonBytes
    /// Whether a length may be too large for its index word.
    private let mayBeLong: Bool
    /// The position of the next byte to read.
    private var position: Int
    /// The number of words so far.
    private var count = 0
    /// The position of the innermost open container; -1 if no container is open.
    private var parent = -1
    /// The number of commas so far in the container at ``parent``.
    private var commas = 0
    /// Whether the container at ``parent`` is an object.
    private var isObject = false
    private var hasBlanks = false

    @inline(__always)
    private init(_ bytes: JsonBytes, from start: Int, mayBeLong: Bool) {
        self.bytes = bytes
        self.mayBeLong = mayBeLong
        position = start
    }

    /// Builds the index of a text.
    /// - Throws: The first fault in the text.
    static func index(of bytes: JsonBytes, options: IndexOptions) throws(SyntaxFault) -> BuiltIndex {
        if bytes.count > maximumTextSize { throw .tooLarge }
        let start = try bytes.lengthOfByteOrderMark(accepted: options.acceptsByteOrderMark)
        do throws(SyntaxFault) {
            return try index(of: bytes, from: start, maximumDepth: min(options.maximumDepth, usualDepth))
        } catch {
            guard case .depth(usualDepth) = error.reason, options.maximumDepth > usualDepth else { throw error }
            // A text that is deeper than `usualDepth` gets a second pass with the full limit. Recording the depth in
            // the first pass instead would slow down all texts.
            return try index(of: bytes, from: start, maximumDepth: options.maximumDepth)
        }
    }

    private static func index(
        of bytes: JsonBytes,
        from start: Int,
        maximumDepth: Int
    ) throws(SyntaxFault) -> BuiltIndex {
        let mayBeLong = bytes.count >= IndexWord.unknownLength
        return try index(of: bytes, from: start, maximumDepth: maximumDepth, mayBeLong: mayBeLong)
    }

    /// Builds the index in one pass.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - start: The offset of the first byte after the byte order mark, if there is one.
    ///   - maximumDepth: The maximum number of open containers.
    ///   - mayBeLong: Whether a length may be too large for its index word. True is correct for every text.
    /// - Returns: The index.
    /// - Throws: The first fault in the text.
    static func index(
        of bytes: JsonBytes,
        from start: Int,
        maximumDepth: Int,
        mayBeLong: Bool
    ) throws(SyntaxFault) -> BuiltIndex {
        var index = GrowingIndex(of: bytes, maximumDepth: depthLimit(maximumDepth))
        do throws(SyntaxFault) {
            return mayBeLong
                ? try readLong(bytes, from: start, into: &index) : try readShort(bytes, from: start, into: &index)
        } catch {
            unsafe index.free()
            throw error
        }
    }

    // `read(into:)` is compiled twice. The version for texts of common size does not compare lengths with the limit.
    // This saves 3 % of a parse.

    @inline(never)
    private static func readShort(
        _ bytes: JsonBytes,
        from start: Int,
        into index: inout GrowingIndex
    ) throws(SyntaxFault) -> BuiltIndex {
        var pass = IndexBuilder(bytes, from: start, mayBeLong: false)
        return try pass.read(into: &index)
    }

    @inline(never)
    private static func readLong(
        _ bytes: JsonBytes,
        from start: Int,
        into index: inout GrowingIndex
    ) throws(SyntaxFault) -> BuiltIndex {
        var pass = IndexBuilder(bytes, from: start, mayBeLong: true)
        return try pass.read(into: &index)
    }

    @inline(__always)
    private mutating func read(into index: inout GrowingIndex) throws(SyntaxFault) -> BuiltIndex {
        position = bytes.skipBlanks(from: position, noting: &hasBlanks)
        while true {
            index.reserveItem(after: count, at: position, of: bytes.count)
            let hasValue = isObject ? try readKey(into: &index) : false
            if !hasValue && position >= bytes.count { throw SyntaxFault(offset: position, reason: .value) }
            let first = unsafe bytes[unchecked: position]
            switch first {
            case Ascii.quote: try readString(into: &index)
            // Separate calls let the compiler specialize each for its bracket. This saves 4 % of a pass over lists in
            // lists.
            case Ascii.openBrace: if try openContainer(isObject: true, in: &index) { continue }
            case Ascii.openBracket: if try openContainer(isObject: false, in: &index) { continue }
            case Ascii.minus, Ascii.zero...Ascii.nine: try readNumber(into: &index)
            case Ascii.t, Ascii.f, Ascii.n: try readLiteral(first, into: &index)
            default: throw SyntaxFault(offset: position, reason: .value)
            }
            if try !readComma(in: &index) { break }
            position = bytes.skipBlanks(from: position, noting: &hasBlanks)
        }
        position = bytes.skipBlanks(from: position)
        if position < bytes.count { throw SyntaxFault(offset: position, reason: .nothingMore) }
        return index.finished(count: count, isCompact: !hasBlanks, usualDepth: Self.usualDepth)
    }
}

// MARK: - The grammar

extension IndexBuilder {
    /// Reads a member's key, the colon and the blanks after it.
    /// - Returns: True only if the text has a byte at the new ``position``; false means unknown.
    @inline(__always)
    private mutating func readKey(into index: inout GrowingIndex) throws(SyntaxFault) -> Bool {
        let start = position &+ 1
        // One comparison with the end of the text covers a key of at most 15 bytes, its closing quote, the colon and
        // the first byte of the value. This saves 3 to 6 % of the instructions of a parse.
        guard start &+ 18 <= bytes.count else {
            guard position < bytes.count, unsafe bytes[unchecked: position] == Ascii.quote else { throw keyFault }
            try finishKey(bytes.scanString(from: start), from: start, in: &index)
            return false
        }
        guard unsafe bytes[unchecked: position] == Ascii.quote else { throw keyFault }
        let stop = unsafe bytes.firstStop(in16BytesFrom: start)
        guard let stop, unsafe bytes[unchecked: stop] == Ascii.quote,
            unsafe bytes[unchecked: stop &+ 1] == Ascii.colon
        else {
            try finishKey(bytes.scanString(from: start, firstStop: stop), from: start, in: &index)
            return false
        }
        add(.asciiString, from: start, to: stop, in: &index)
        position = stop &+ 2
        if unsafe bytes[unchecked: position] > Ascii.space { return true }
        position = bytes.skipBlank(from: position, noting: &hasBlanks)
        return false
    }

    /// Adds the word of a key and reads the colon and the blanks after it.
    @inline(__always)
    private mutating func finishKey(
        _ key: StringScan,
        from start: Int,
        in index: inout GrowingIndex
    ) throws(SyntaxFault) {
        add(key.tag, from: start, to: key.end, in: &index)
        position = bytes.skipBlanks(from: key.end &+ 1, noting: &hasBlanks)
        guard position < bytes.count, unsafe bytes[unchecked: position] == Ascii.colon else {
            throw SyntaxFault(offset: position, reason: .colon)
        }
        position = bytes.skipBlank(from: position &+ 1, noting: &hasBlanks)
    }

    private var keyFault: SyntaxFault { SyntaxFault(offset: position, reason: .key) }

    @inline(__always)
    private mutating func readNumber(into index: inout GrowingIndex) throws(SyntaxFault) {
        let number = try bytes.scanNumber(from: position)
        add(number.tag, from: position, to: number.end, in: &index)
        position = number.end
    }

    @inline(__always)
    private mutating func readLiteral(_ first: UInt8, into index: inout GrowingIndex) throws(SyntaxFault) {
        let tag: IndexWord.Tag = first == Ascii.t ? .true : first == Ascii.f ? .false : .null
        let end = try bytes.scanLiteral(tag, from: position)
        add(tag, from: position, to: end, in: &index)
        position = end
    }

    /// Reads the string whose opening quote is at ``position``.
    @inline(__always)
    private mutating func readString(into index: inout GrowingIndex) throws(SyntaxFault) {
        let string = try bytes.scanString(from: position &+ 1)
        add(string.tag, from: position &+ 1, to: string.end, in: &index)
        position = string.end &+ 1
    }

    /// Reads an opening bracket, and the closing bracket of an empty container.
    /// - Returns: Whether the container stays open.
    @inline(__always)
    private mutating func openContainer(
        isObject opensObject: Bool,
        in index: inout GrowingIndex
    ) throws(SyntaxFault) -> Bool {
        try index.checkDepth(at: position)
        let inside = bytes.skipBlanks(from: position &+ 1, noting: &hasBlanks)
        guard inside < bytes.count else { throw SyntaxFault(offset: inside, reason: .endOfText) }
        let tag: IndexWord.Tag = opensObject ? .object : .array
        if unsafe bytes[unchecked: inside] == (opensObject ? Ascii.closeBrace : Ascii.closeBracket) {
            unsafe index.put(word(tag, from: position, to: inside &+ 1), at: count)
            unsafe index.putEmptySize(ofContainerAt: count)
            count &+= IndexWord.wordsOfContainer
            position = inside &+ 1
            return false
        }
        unsafe index.put(IndexWord(tag, offset: position, shortLength: 0), at: count)
        unsafe index.putOuter(parent: parent, commas: commas, ofContainerAt: count)
        index.depth &+= 1
        parent = count
        commas = 0
        isObject = opensObject
        count &+= IndexWord.wordsOfContainer
        position = inside
        return true
    }

    /// Reads the closing brackets of all containers that end after a value, and the comma that follows.
    /// - Returns: Whether there was a comma. If there was none, the root has ended.
    @inline(__always)
    private mutating func readComma(in index: inout GrowingIndex) throws(SyntaxFault) -> Bool {
        while parent >= 0 {
            if skipComma() { return true }
            position = bytes.skipBlanks(from: position, noting: &hasBlanks)
            if skipComma() { return true }
            guard position < bytes.count,
                unsafe bytes[unchecked: position] == (isObject ? Ascii.closeBrace : Ascii.closeBracket)
            else { throw SyntaxFault(offset: position, reason: .commaOrClose(isObject: isObject)) }
            position &+= 1
            closeContainer(in: &index)
        }
        return false
    }

    @inline(__always)
    private mutating func skipComma() -> Bool {
        guard position < bytes.count, unsafe bytes[unchecked: position] == Ascii.comma else { return false }
        position &+= 1
        commas &+= 1
        return true
    }

    /// Stores the sizes of the innermost container and restores the enclosing one.
    @inline(__always)
    private mutating func closeContainer(in index: inout GrowingIndex) {
        let open = unsafe index[unchecked: parent]
        let outer = unsafe index.outer(ofContainerAt: parent)
        unsafe index.put(word(open.tag, from: open.offset, to: position), at: parent)
        unsafe index.putSize(words: count &- parent, members: commas &+ 1, ofContainerAt: parent)
        (parent, commas) = outer
        index.depth &-= 1
        isObject = unsafe parent >= 0 && index[unchecked: parent].tag == .object
    }

    /// Adds the word of a key or of a scalar.
    @inline(__always)
    private mutating func add(_ tag: IndexWord.Tag, from start: Int, to end: Int, in index: inout GrowingIndex) {
        unsafe index.put(word(tag, from: start, to: end), at: count)
        count &+= 1
    }

    @inline(__always)
    private func word(_ tag: IndexWord.Tag, from start: Int, to end: Int) -> IndexWord {
        mayBeLong
            ? IndexWord(tag, offset: start, length: end &- start)
            : IndexWord(tag, offset: start, shortLength: end &- start)
    }
}

// MARK: - Memory

/// The words of an unfinished index.
///
/// **Bound.** `words` has capacity for `capacity` words. ``reserveItem(after:at:of:)`` runs before each item and
/// reserves the words of its key and its value. Every other access is to the words of an open container, which have
/// positions below the count.
@safe
private struct GrowingIndex {
    private var words: UnsafeMutablePointer<UInt64>
    private var capacity: Int
    private let maximumDepth: Int
    /// The number of open containers.
    var depth = 0

    /// The length in bytes below which another allocation costs more than unused capacity.
    private static var smallText: Int { 4096 }

    init(of bytes: JsonBytes, maximumDepth: Int) {
        // For a small text, capacity for the densest usual index is reserved at once, even if a part stays unused. For
        // a larger text, the capacity grows with the measured density.
        capacity = bytes.count < Self.smallText ? bytes.count / 6 &+ 24 : bytes.count / 16
        unsafe words = allocateWords(capacity)
        self.maximumDepth = maximumDepth
    }

    @inline(__always)
    func checkDepth(at position: Int) throws(SyntaxFault) {
        if depth >= maximumDepth { throw SyntaxFault(offset: position, reason: .depth(maximumDepth)) }
    }

    /// The word at a position that is in use. The position is not checked.
    @inline(__always)
    @unsafe
    subscript(unchecked position: Int) -> IndexWord {
        assert(position >= 0 && position < capacity)
        return unsafe IndexWord(bits: words[position])
    }

    /// Writes a word at a position that is in use or reserved.
    @inline(__always)
    @unsafe
    func put(_ word: IndexWord, at position: Int) {
        assert(position >= 0 && position < capacity)
        unsafe words[position] = word.bits
    }

    /// Writes the second word of a closed container.
    @inline(__always)
    @unsafe
    func putSize(words size: Int, members: Int, ofContainerAt position: Int) {
        assert(position >= 0 && position &+ IndexWord.wordsOfContainer <= capacity)
        unsafe words[position &+ 1] = UInt64(truncatingIfNeeded: size) | UInt64(truncatingIfNeeded: members) &<< 32
    }

    /// Writes the second and the third word of an empty container.
    @inline(__always)
    @unsafe
    func putEmptySize(ofContainerAt position: Int) {
        unsafe putSize(words: IndexWord.wordsOfContainer, members: 0, ofContainerAt: position)
        unsafe words[position &+ 2] = 0
    }

    /// Writes the second and the third word of an open container. The second word is used to restore the enclosing
    /// container when the container closes.
    @inline(__always)
    @unsafe
    func putOuter(parent: Int, commas: Int, ofContainerAt position: Int) {
        assert(position >= 0 && position &+ IndexWord.wordsOfContainer <= capacity)
        unsafe words[position &+ 1] =
            UInt64(truncatingIfNeeded: parent &+ 1) | UInt64(truncatingIfNeeded: commas) &<< 32
        unsafe words[position &+ 2] = 0
    }

    @inline(__always)
    @unsafe
    func outer(ofContainerAt position: Int) -> (parent: Int, commas: Int) {
        let outer = unsafe words[position &+ 1]
        return (Int(truncatingIfNeeded: outer & 0xFFFF_FFFF) &- 1, Int(truncatingIfNeeded: outer &>> 32))
    }

    /// Reserves the words of an item: a key, and a scalar or the start of a container.
    @inline(__always)
    mutating func reserveItem(after count: Int, at position: Int, of total: Int) {
        if count &+ 1 &+ IndexWord.wordsOfContainer > capacity { grow(after: count, at: position, of: total) }
    }

    /// Grows a full index. The new size is estimated from the number of words per byte so far.
    @inline(never)
    private mutating func grow(after count: Int, at position: Int, of total: Int) {
        let density = Double(count) / Double(max(position, 64))
        let projected = Int(density * Double(total) * 1.05) &+ 64
        capacity = max(capacity &+ capacity / 2 &+ 16, min(projected, capacity &* 4))
        unsafe words = resizeWords(words, to: capacity)
    }

    /// Makes the finished index, which owns the words.
    /// - Parameters:
    ///   - count: The number of words.
    ///   - isCompact: Whether the text has no blanks before or between tokens.
    ///   - usualDepth: The number of open containers up to which an index is not deep. A limit over it allows more.
    /// - Returns: The index.
    func finished(count: Int, isCompact: Bool, usualDepth: Int) -> BuiltIndex {
        let isLoose = capacity &- count > count / 4 &+ Self.smallText / 8
        return unsafe BuiltIndex(
            words: isLoose ? resizeWords(words, to: count) : words,
            count: count,
            isCompact: isCompact,
            mayBeDeep: maximumDepth > usualDepth
        )
    }

    /// Frees the words. Afterwards the index must not be used.
    @unsafe
    func free() { unsafe freeBytes(words) }
}

// MARK: - Limits

extension IndexBuilder {
    /// The nesting depth up to which recursive reading of typical types fits on a stack of 512 KB (``StackSpace``).
    static var usualDepth: Int { 24 }

    // Offsets and counts of words have 32 bits. A container has three words and at least two bytes of text. All other
    // tokens have at most one word for each byte. So a text has at most 1.5 words for each byte, and three more words
    // for each open container. Up to the maximum length and the greatest depth, these are less than 2^32 words.

    /// The maximum length of a text: 2.8 GB, or 64 MB where addresses have 32 bits.
    static var maximumTextSize: Int { Int(maximumTextSize(addressableBytes: Int64(Int.max))) }

    /// Returns the maximum length of a text whose index is addressable. Except for short texts, a growing index has at
    /// most four words of eight bytes for each byte of text.
    static func maximumTextSize(addressableBytes: Int64) -> Int64 { min(2_800_000_000, addressableBytes / 32) }

    /// The maximum number of open containers that any options can allow.
    static var greatestDepth: Int { 1 << 24 }

    /// Returns the limit of a pass for the option `maximumDepth`.
    static func depthLimit(_ maximumDepth: Int) -> Int { min(maximumDepth, greatestDepth) }
}

extension JsonBytes {
    /// Returns the length of the UTF-8 byte order mark at the start; 0 if there is none (RFC 8259 §8.1: a parser may
    /// ignore it).
    fileprivate func lengthOfByteOrderMark(accepted isAccepted: Bool) throws(SyntaxFault) -> Int {
        guard count >= 3, self[0] == 0xEF, self[1] == 0xBB, self[2] == 0xBF else { return 0 }
        if !isAccepted { throw SyntaxFault(offset: 0, reason: .noByteOrderMark) }
        return 3
    }
}
