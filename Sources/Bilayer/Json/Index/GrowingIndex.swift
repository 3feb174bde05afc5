/// The words of an unfinished index.
///
/// **Bound.** `words` has capacity for `capacity` words. ``reserveItem(after:at:of:)`` runs before each item and
/// reserves the words of its key and its value. Every other access is to the words of an open container, which have
/// positions below the count.
@safe
struct GrowingIndex {
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
