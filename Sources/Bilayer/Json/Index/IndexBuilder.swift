// # How a text becomes an index
//
// One pass over the bytes checks every rule of RFC 8259 and notes, for each value, one 8-byte word: what it is, where
// it starts, how long it is (``IndexWord``). Nothing is converted: numbers stay digits, strings stay bytes, until a
// value is read. The text
//
//     {"id":7,"tags":["a","é"],"ok":true}
//     0         1         2         3
//     0123456789012345678901234567890123456       (é takes two bytes, 21 and 22)
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
// A key is followed by its value. The word left for readers is 0 at first; they note there where they stopped. To step
// over `tags` a reader adds the 5 of word 7 to position 6 and is at the key `ok`.
//
// There is no recursion and no stack: while a container is open, its second word holds the position of the container
// around it and that one's commas so far; both are put back when it closes. Memory is one array of words that grows by
// the density seen so far.
//
// **Chunks.** `run` can stop at any byte, if the text is not final: it goes back to the start of the item it was in (a
// key with its value up to the first bracket, an element, or the place after a value) and takes up there when the token
// that was cut has ended (``OpenToken``). So however small the pieces are, a byte is read a few times at most.

/// Builds the index of a text in one call or in several, as bytes arrive.
///
/// **Bound.** `words` has room for `capacity` words; `reserveRoom` runs before each write at `count`; every other
/// access is to an open container's own words, which lie below `count`.
@safe
struct IndexBuilder: ~Copyable {
    private var words: UnsafeMutablePointer<UInt64>
    private var capacity: Int
    private var count = 0

    let maximumDepth: Int
    private var depth = 0
    /// Position of the innermost open container, -1 for none.
    private var parent = -1
    /// Commas of that container so far.
    private var members = 0
    private var stage = Stage.item
    /// Where in the text to take up.
    private var position: Int
    /// What the last bytes have cut.
    private(set) var openToken: OpenToken?
    /// Whether there was a blank between two tokens: then the text is not its own compact form.
    private var hasBlanks = false

    /// What is due at ``position``.
    private enum Stage {
        /// A member with its key, an element, or the root.
        case item
        /// A comma or the end of the container.
        case afterValue
        /// Nothing but blanks.
        case end
    }

    /// Starts before the first byte.
    /// - Parameters:
    ///   - expectedBytes: Length of the text, as far as known: sizes the first allocation.
    ///   - maximumDepth: How many containers may be open at once; 2^24 at most.
    ///   - position: Where the text starts, after a byte order mark.
    init(expectedBytes: Int, maximumDepth: Int, startingAt position: Int = 0) {
        // A small text gets room for the densest usual index at once, and keeps what is left over; a large one grows by
        // what is seen.
        capacity = expectedBytes < Self.smallText ? expectedBytes / 6 &+ 24 : expectedBytes / 16
        unsafe words = allocateWords(capacity)
        self.maximumDepth = min(maximumDepth, Self.greatestDepth)
        self.position = position
    }

    deinit { unsafe freeBytes(words) }

    /// Length of a text, in bytes, up to which an allocation more costs more than some room.
    private static let smallText = 4096

    /// Whether the text is its own compact form.
    var isCompact: Bool { !hasBlanks }

    /// Whether the root value is complete.
    var isComplete: Bool { stage == .end }

    /// Takes up where the last call stopped and goes as far as the bytes allow.
    /// - Parameters:
    ///   - bytes: The text from its start. What was read before must be unchanged.
    ///   - isFinal: Whether no more bytes will come.
    /// - Throws: The first fault; not one that more bytes could mend, unless the text is final.
    mutating func advance(over bytes: JsonBytes, isFinal: Bool) throws(SyntaxFault) {
        if !isFinal, openToken?.isOpen(in: bytes) == true { return }
        openToken = nil
        do throws(SyntaxFault) {
            if stage != .end { try run(over: bytes, isFinal: isFinal) }
            position = bytes.skipBlanks(from: position)
            if stage == .end && position < bytes.count { throw SyntaxFault(offset: position, reason: .nothingMore) }
        } catch {
            // A fault at the end of what is there may not be one when more arrives.
            if isFinal || error.offset < bytes.count { throw error }
            if stage == .item { openToken = bytes.openToken(inItemAt: position, hasKey: isObject(at: parent)) }
        }
    }

    /// The finished words. The caller frees them.
    @unsafe
    consuming func finish() -> (base: UnsafeMutablePointer<UInt64>, count: Int) {
        let isLoose = capacity &- count > count / 4 &+ Self.smallText / 8
        let result = unsafe (base: isLoose ? resizeWords(words, to: count) : words, count: count)
        discard self
        return unsafe result
    }
}

extension IndexBuilder {
    /// The pass itself. On a fault everything is as it was at the start of the item, so that the pass can be taken up
    /// again.
    private mutating func run(over bytes: JsonBytes, isFinal: Bool) throws(SyntaxFault) {
        if isFinal && stage == .item && bytes.count < IndexWord.unknownLength {
            try runThroughWhole(bytes)
        } else {
            try runThroughPart(bytes, isFinal: isFinal)
        }
    }

    @inline(never)
    private mutating func runThroughWhole(_ bytes: JsonBytes) throws(SyntaxFault) {
        try run(over: bytes, isFinal: true, isResumable: false)
    }

    @inline(never)
    private mutating func runThroughPart(_ bytes: JsonBytes, isFinal: Bool) throws(SyntaxFault) {
        try run(over: bytes, isFinal: isFinal, isResumable: true)
    }

    /// Compiled twice: a text that is there as a whole needs no way back, and if it is of usual size no length is too
    /// long for its word.
    @inline(__always)
    private mutating func run(over bytes: JsonBytes, isFinal: Bool, isResumable: Bool) throws(SyntaxFault) {
        var position = self.position
        var count = self.count
        var parent = self.parent
        var members = self.members
        var isObject = isObject(at: parent)
        var isAfterValue = stage == .afterValue
        var hasBlanks = self.hasBlanks
        var safePosition = position
        var safeCount = count
        defer {
            self.position = isResumable ? safePosition : position
            self.count = isResumable ? safeCount : count
            self.parent = parent
            self.members = members
            self.hasBlanks = hasBlanks
        }

        item: while true {
            if !isResumable || !isAfterValue {
                position = bytes.skipBlanks(from: position, noting: &hasBlanks)
                if isResumable {
                    safePosition = position
                    safeCount = count
                    stage = .item
                }
                reserveRoom(for: 1 &+ IndexWord.wordsOfContainer, after: count, at: position, of: bytes.count)

                if isObject {
                    guard position < bytes.count, unsafe bytes[unchecked: position] == Ascii.quote else {
                        throw SyntaxFault(offset: position, reason: .key)
                    }
                    let key = try bytes.scanString(from: position &+ 1)
                    put(key.tag, from: position &+ 1, to: key.end, at: count, mayBeLong: isResumable)
                    count &+= 1
                    var colon = key.end &+ 1
                    if unsafe colon >= bytes.count || bytes[unchecked: colon] != Ascii.colon {
                        colon = bytes.skipBlanks(from: colon, noting: &hasBlanks)
                        guard colon < bytes.count, unsafe bytes[unchecked: colon] == Ascii.colon else {
                            throw SyntaxFault(offset: colon, reason: .colon)
                        }
                    }
                    position = bytes.skipBlank(from: colon &+ 1, noting: &hasBlanks)
                }

                guard position < bytes.count else { throw SyntaxFault(offset: position, reason: .value) }
                let first = unsafe bytes[unchecked: position]
                switch first {
                case Ascii.quote:
                    let string = try bytes.scanString(from: position &+ 1)
                    put(string.tag, from: position &+ 1, to: string.end, at: count, mayBeLong: isResumable)
                    count &+= 1
                    position = string.end &+ 1
                case Ascii.openBrace, Ascii.openBracket:
                    if depth >= maximumDepth { throw SyntaxFault(offset: position, reason: .depth(maximumDepth)) }
                    let opensObject = first == Ascii.openBrace
                    let inside = bytes.skipBlanks(from: position &+ 1, noting: &hasBlanks)
                    guard inside < bytes.count else { throw SyntaxFault(offset: inside, reason: .endOfText) }
                    let tag: IndexWord.Tag = opensObject ? .object : .array
                    unsafe words[count &+ 2] = 0
                    if unsafe bytes[unchecked: inside] == first &+ 2 {
                        put(tag, from: position, to: inside &+ 1, at: count, mayBeLong: isResumable)
                        unsafe words[count &+ 1] = UInt64(truncatingIfNeeded: IndexWord.wordsOfContainer)
                        count &+= IndexWord.wordsOfContainer
                        position = inside &+ 1
                        break
                    }
                    put(tag, from: position, to: position, at: count, mayBeLong: false)
                    unsafe words[count &+ 1] =
                        UInt64(truncatingIfNeeded: parent &+ 1) | UInt64(truncatingIfNeeded: members) &<< 32
                    parent = count
                    members = 0
                    isObject = opensObject
                    depth &+= 1
                    count &+= IndexWord.wordsOfContainer
                    position = inside
                    continue item
                case Ascii.minus, Ascii.zero...Ascii.nine:
                    let number = try bytes.scanNumber(from: position)
                    if number.end == bytes.count && !isFinal {
                        throw SyntaxFault(offset: number.end, reason: .endOfText)
                    }
                    put(number.tag, from: position, to: number.end, at: count, mayBeLong: isResumable)
                    count &+= 1
                    position = number.end
                case Ascii.t, Ascii.f, Ascii.n:
                    let tag: IndexWord.Tag = first == Ascii.t ? .true : first == Ascii.f ? .false : .null
                    let end = try bytes.scanLiteral(tag, from: position)
                    put(tag, from: position, to: end, at: count, mayBeLong: false)
                    count &+= 1
                    position = end
                default:
                    throw SyntaxFault(offset: position, reason: .value)
                }
            }

            while parent >= 0 {
                isAfterValue = false
                if !isResumable, position < bytes.count, unsafe bytes[unchecked: position] == Ascii.comma {
                    position &+= 1
                    members &+= 1
                    continue item
                }
                position = bytes.skipBlanks(from: position, noting: &hasBlanks)
                if isResumable {
                    safePosition = position
                    safeCount = count
                }
                guard position < bytes.count else { throw faultAfterValue(at: position, isObject: isObject) }
                let next = unsafe bytes[unchecked: position]
                if next == Ascii.comma {
                    position &+= 1
                    members &+= 1
                    continue item
                }
                guard next == (isObject ? Ascii.closeBrace : Ascii.closeBracket) else {
                    throw faultAfterValue(at: position, isObject: isObject)
                }
                position &+= 1

                let open = unsafe IndexWord(bits: words[parent])
                let outer = unsafe words[parent &+ 1]
                put(open.tag, from: open.offset, to: position, at: parent, mayBeLong: isResumable)
                unsafe words[parent &+ 1] =
                    UInt64(truncatingIfNeeded: count &- parent) | UInt64(truncatingIfNeeded: members &+ 1) &<< 32
                parent = Int(truncatingIfNeeded: outer & 0xFFFF_FFFF) &- 1
                members = Int(truncatingIfNeeded: outer &>> 32)
                depth &-= 1
                isObject = self.isObject(at: parent)
            }
            safePosition = position
            safeCount = count
            stage = .end
            return
        }
    }

    /// Writes a word at a place that is in use or reserved.
    @inline(__always)
    private func put(_ tag: IndexWord.Tag, from start: Int, to end: Int, at place: Int, mayBeLong: Bool) {
        let word =
            mayBeLong
            ? IndexWord(tag, offset: start, length: end &- start)
            : IndexWord(tag, offset: start, shortLength: end &- start)
        unsafe words[place] = word.bits
    }

    private mutating func faultAfterValue(at position: Int, isObject: Bool) -> SyntaxFault {
        stage = .afterValue
        return SyntaxFault(offset: position, reason: .commaOrClose(isObject: isObject))
    }

    /// Whether an open container, or -1, is an object.
    @inline(__always)
    private func isObject(at parent: Int) -> Bool {
        if parent < 0 { return false }
        return unsafe IndexWord(bits: words[parent]).tag == .object
    }

    /// An index of nothing but `null`.
    static var null: IndexBuilder {
        var builder = IndexBuilder(expectedBytes: 0, maximumDepth: 0)
        unsafe builder.words[0] = IndexWord(.null, offset: 0, length: 0).bits
        builder.count = 1
        return builder
    }

    /// Makes room for a few more words. The new size follows from the words per byte so far.
    @inline(__always)
    private mutating func reserveRoom(for more: Int, after count: Int, at position: Int, of total: Int) {
        if count &+ more > capacity { grow(after: count, at: position, of: total) }
    }

    @inline(never)
    private mutating func grow(after count: Int, at position: Int, of total: Int) {
        let density = Double(count) / Double(max(position, 64))
        let projected = Int(density * Double(total) * 1.05) &+ 64
        capacity = max(capacity &+ capacity / 2 &+ 16, min(projected, capacity &* 4))
        unsafe words = resizeWords(words, to: capacity)
    }
}
