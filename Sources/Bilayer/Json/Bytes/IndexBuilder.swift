// # How a text becomes an index
//
// One pass over the bytes checks every rule of RFC 8259 and notes, for each value, one 8-byte word: what it is, where it starts,
// how long it is (``IndexWord``). Nothing is converted: numbers stay digits, strings stay bytes, until somebody asks. The text
//
//     {"id":7,"tags":["a","é"],"ok":true}
//     0         1         2         3
//     0123456789012345678901234567890123456       (é takes two bytes, 21 and 22)
//
// becomes
//
//      0  object         offset 0   length 36
//      1                 11 words, 3 members
//      2  asciiString    offset 2   length 2       id
//      3  integer        offset 6   length 1       7
//      4  asciiString    offset 9   length 4       tags
//      5  array          offset 15  length 10
//      6                 4 words, 2 elements
//      7  asciiString    offset 17  length 1       a
//      8  unicodeString  offset 21  length 2       é
//      9  asciiString    offset 27  length 2       ok
//     10  true           offset 31  length 4
//
// A key is followed by its value. To step over `tags` a reader adds the 4 of
// word 6 to position 5 and stands on the key `ok`.
//
// There is no recursion and no stack: while a container is open, its second word holds the position of the container around it
// and that one's count so far; both are put back when it closes. Memory is one array of words that grows by the density seen
// so far.
//
// **Chunks.** `run` can stop at any byte, if the text is not final: it goes back to the start of the item it was in (a key
// with its value up to the first bracket, an element, or the place after a value) and takes up there when the token that was
// cut has ended (``OpenToken``). So however small the pieces are, a byte is read a few times at most.

/// Builds the index of a text in one call or in several, as bytes arrive.
///
/// **Bound.** `words` has room for `capacity` words; `reserveRoom` runs before each write at `count`; every other access is
/// to an open container's own two words, which lie below `count`.
@safe
struct IndexBuilder: ~Copyable {
    private var words: UnsafeMutablePointer<UInt64>
    private var capacity: Int
    private var count = 0

    let maximumDepth: Int
    private var depth = 0
    /// Position of the innermost open container, -1 for none.
    private var parent = -1
    /// Elements or members of that container so far.
    private var members = 0
    private var stage = Stage.item
    /// Where in the text to take up.
    private var position: Int
    /// What the last bytes have cut.
    private(set) var openToken: OpenToken?
    /// Not zero once a blank stood between two tokens: then the text is not its own compact form.
    private var blanks = 0

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
        capacity = expectedBytes / 16 &+ 16
        unsafe words = allocateWords(capacity)
        self.maximumDepth = min(maximumDepth, Self.greatestDepth)
        self.position = position
    }

    deinit { unsafe freeBytes(words) }

    /// Whether the text is its own compact form.
    var isCompact: Bool { blanks == 0 }

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
        let isLoose = capacity &- count > count / 4
        let result = unsafe (base: isLoose ? resizeWords(words, to: count) : words, count: count)
        discard self
        return unsafe result
    }
}

extension IndexBuilder {
    /// The pass itself. On a fault everything is as it was at the start of the item, so that the pass can be taken up again.
    private mutating func run(over bytes: JsonBytes, isFinal: Bool) throws(SyntaxFault) {
        var position = self.position
        var count = self.count
        var parent = self.parent
        var members = self.members
        var isObject = isObject(at: parent)
        var isAfterValue = stage == .afterValue
        var blanks = self.blanks
        var safePosition = position
        var safeCount = count
        defer {
            self.position = safePosition
            self.count = safeCount
            self.parent = parent
            self.members = members
            self.blanks = blanks
        }

        item: while true {
            if !isAfterValue {
                let start = bytes.skipBlanks(from: position)
                blanks |= start ^ position
                position = start
                safePosition = position
                safeCount = count
                stage = .item
                reserveRoom(for: 3, after: count, at: position, of: bytes.count)

                if isObject {
                    guard position < bytes.count, bytes[position] == Ascii.quote else {
                        throw SyntaxFault(offset: position, reason: .key)
                    }
                    let key = try bytes.scanString(from: position &+ 1)
                    unsafe words[count] =
                        IndexWord(key.tag, offset: position &+ 1, length: key.end &- position &- 1).bits
                    count &+= 1
                    let colon = bytes.skipBlanks(from: key.end &+ 1)
                    blanks |= colon ^ (key.end &+ 1)
                    guard colon < bytes.count, bytes[colon] == Ascii.colon else {
                        throw SyntaxFault(offset: colon, reason: .colon)
                    }
                    position = bytes.skipBlanks(from: colon &+ 1)
                    blanks |= position ^ (colon &+ 1)
                }

                guard position < bytes.count else { throw SyntaxFault(offset: position, reason: .value) }
                let first = bytes[position]
                switch first {
                case Ascii.quote:
                    let string = try bytes.scanString(from: position &+ 1)
                    unsafe words[count] =
                        IndexWord(string.tag, offset: position &+ 1, length: string.end &- position &- 1).bits
                    count &+= 1
                    position = string.end &+ 1
                case Ascii.openBrace, Ascii.openBracket:
                    if depth >= maximumDepth { throw SyntaxFault(offset: position, reason: .depth(maximumDepth)) }
                    let opensObject = first == Ascii.openBrace
                    let inside = bytes.skipBlanks(from: position &+ 1)
                    blanks |= inside ^ (position &+ 1)
                    guard inside < bytes.count else { throw SyntaxFault(offset: inside, reason: .endOfText) }
                    let tag: IndexWord.Tag = opensObject ? .object : .array
                    if bytes[inside] == first &+ 2 {
                        let end = inside &+ 1
                        unsafe words[count] = IndexWord(tag, offset: position, length: end &- position).bits
                        unsafe words[count &+ 1] = 2
                        count &+= 2
                        position = end
                        break
                    }
                    unsafe words[count] = IndexWord(tag, offset: position, length: 0).bits
                    unsafe words[count &+ 1] =
                        UInt64(truncatingIfNeeded: parent &+ 1) | UInt64(truncatingIfNeeded: members) &<< 32
                    parent = count
                    members = 0
                    isObject = opensObject
                    depth &+= 1
                    count &+= 2
                    position = inside
                    continue item
                case Ascii.minus, Ascii.zero...Ascii.nine:
                    let number = try bytes.scanNumber(from: position)
                    if number.end == bytes.count && !isFinal {
                        throw SyntaxFault(offset: number.end, reason: .endOfText)
                    }
                    unsafe words[count] =
                        IndexWord(number.tag, offset: position, length: number.end &- position).bits
                    count &+= 1
                    position = number.end
                case Ascii.t, Ascii.f, Ascii.n:
                    let tag: IndexWord.Tag = first == Ascii.t ? .true : first == Ascii.f ? .false : .null
                    let end = try bytes.scanLiteral(tag, from: position)
                    unsafe words[count] = IndexWord(tag, offset: position, length: end &- position).bits
                    count &+= 1
                    position = end
                default:
                    throw SyntaxFault(offset: position, reason: .value)
                }
                if parent >= 0 { members &+= 1 }
            }

            while parent >= 0 {
                isAfterValue = false
                let stop = bytes.skipBlanks(from: position)
                blanks |= stop ^ position
                position = stop
                safePosition = position
                safeCount = count
                let close = isObject ? Ascii.closeBrace : Ascii.closeBracket
                guard position < bytes.count, bytes[position] == Ascii.comma || bytes[position] == close else {
                    stage = .afterValue
                    throw SyntaxFault(offset: position, reason: .commaOrClose(isObject: isObject))
                }
                position &+= 1
                if bytes[position &- 1] == Ascii.comma { continue item }

                let open = unsafe IndexWord(bits: words[parent])
                let outer = unsafe words[parent &+ 1]
                unsafe words[parent] = IndexWord(open.tag, offset: open.offset, length: position &- open.offset).bits
                unsafe words[parent &+ 1] =
                    UInt64(truncatingIfNeeded: count &- parent) | UInt64(truncatingIfNeeded: members) &<< 32
                parent = Int(truncatingIfNeeded: outer & 0xFFFF_FFFF) &- 1
                members = Int(truncatingIfNeeded: outer &>> 32) &+ (parent >= 0 ? 1 : 0)
                depth &-= 1
                isObject = self.isObject(at: parent)
            }
            safePosition = position
            safeCount = count
            stage = .end
            return
        }
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
