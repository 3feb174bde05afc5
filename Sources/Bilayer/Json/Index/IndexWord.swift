/// One word of the index: the type of a value, its offset in the text and its length.
///
/// | bits | meaning |
/// |---|---|
/// | 0–3 | ``Tag`` |
/// | 4–35 | offset of the first byte: of a string's contents, otherwise of the value itself |
/// | 36–63 | length in bytes of a string's contents or of the whole value; all ones: readers search for the end |
///
/// Arrays and objects have two more words. The second word has the number of words of the whole value, its own three
/// included (bits 0–31). It also has the number of elements or members (bits 32–63). With it, a reader skips a
/// container without reading its contents. The third word is 0 at first. Later it can store where the next reader
/// starts (``MemberHint``, ``ElementHint``).
struct IndexWord: Equatable {
    /// The 64 bits.
    let bits: UInt64

    @inline(__always)
    init(bits: UInt64) { self.bits = bits }

    /// Makes a word. A length that does not fit is stored as ``unknownLength``.
    @inline(__always)
    init(_ tag: Tag, offset: Int, length: Int) {
        let shortened = UInt64(truncatingIfNeeded: min(length, Self.unknownLength))
        bits = tag.rawValue | UInt64(truncatingIfNeeded: offset) &<< 4 | shortened &<< 36
    }

    /// Makes a word with a length that is less than ``unknownLength``.
    @inline(__always)
    init(_ tag: Tag, offset: Int, shortLength: Int) {
        bits = tag.rawValue | UInt64(truncatingIfNeeded: offset) &<< 4 | UInt64(truncatingIfNeeded: shortLength) &<< 36
    }

    /// The type of the value.
    @inline(__always)
    var tag: Tag { Tag(rawValue: bits & 0xF) }

    /// The offset of the value.
    @inline(__always)
    var offset: Int { Int(truncatingIfNeeded: (bits &>> 4) & 0xFFFF_FFFF) }

    /// The length of the value; ``unknownLength`` if the length is that number or greater.
    @inline(__always)
    var shortLength: Int { Int(truncatingIfNeeded: bits &>> 36) }

    /// Whether the value is a string of ASCII without escapes that has this length.
    @inline(__always)
    func isASCII(ofLength length: Int) -> Bool {
        bits & ~Self.offsetBits == Tag.asciiString.rawValue | UInt64(truncatingIfNeeded: length) &<< 36
    }

    /// The bits of the offset.
    @inline(__always)
    static var offsetBits: UInt64 { 0xF_FFFF_FFF0 }

    /// The number of words of an array or object itself, without the words of its elements or members.
    static var wordsOfContainer: Int { 3 }

    /// For a key or value of this length (about 268 MB) or longer, readers search for its end.
    static let unknownLength = 0xFFF_FFFF

    /// The types of values, numbered so that one comparison separates strings, numbers or containers from the rest.
    struct Tag: Equatable, RawRepresentable {
        let rawValue: UInt64

        @inline(__always)
        init(rawValue: UInt64) { self.rawValue = rawValue }

        static var null: Tag { Tag(rawValue: 0) }
        static var `false`: Tag { Tag(rawValue: 1) }
        static var `true`: Tag { Tag(rawValue: 2) }
        /// Digits with or without a minus sign.
        static var integer: Tag { Tag(rawValue: 4) }
        /// A number with a point, without an exponent.
        static var fraction: Tag { Tag(rawValue: 5) }
        /// A number with an exponent.
        static var exponent: Tag { Tag(rawValue: 6) }
        /// A string whose contents are ASCII, without escapes.
        static var asciiString: Tag { Tag(rawValue: 8) }
        /// A string whose contents have bytes over 0x7F, and no escapes.
        static var unicodeString: Tag { Tag(rawValue: 9) }
        /// A string whose contents have escapes.
        static var escapedString: Tag { Tag(rawValue: 10) }
        static var array: Tag { Tag(rawValue: 12) }
        static var object: Tag { Tag(rawValue: 13) }

        @inline(__always)
        var isContainer: Bool { rawValue >= 12 }
        @inline(__always)
        var isString: Bool { rawValue & 0b1100 == 0b1000 }
        @inline(__always)
        var isNumber: Bool { rawValue & 0b1100 == 0b0100 }
    }
}

/// A finished index, for reading.
///
/// **Bound.** Positions are below ``count``. They come from the index itself, never from input. The root is 0, and
/// every other position is reached by stepping into containers and over keys and values. Debug builds check each
/// position.
@safe
// Sendable: after an index is built, only the third word of each container is written, and it is only used as an
// atomic.
struct IndexWords: @unchecked Sendable {
    private let base: UnsafeMutablePointer<UInt64>
    /// The number of words.
    let count: Int

    /// Makes a view of words. The words must outlive the view.
    @inline(__always)
    @unsafe
    init(_ base: UnsafeMutablePointer<UInt64>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// The word at a position, which must be below ``count``. Release builds do not check the position.
    @inline(__always)
    @unsafe
    subscript(unchecked position: Int) -> IndexWord {
        assert(position >= 0 && position < count)
        return unsafe IndexWord(bits: base[position])
    }

    /// Returns the position after the value at `position`, which can have any type.
    @inline(__always)
    func next(after position: Int) -> Int { position &+ wordCount(at: position) }

    /// Returns the number of words of the value at `position`, which can have any type.
    @inline(__always)
    func wordCount(at position: Int) -> Int {
        unsafe self[unchecked: position].tag.isContainer ? size(of: position) : 1
    }

    /// Returns the number of words of the container at `position`, including the words of its contents.
    @inline(__always)
    func size(of position: Int) -> Int {
        unsafe Int(truncatingIfNeeded: self[unchecked: position &+ 1].bits & 0xFFFF_FFFF)
    }

    /// Returns the number of elements or members of the container at `position`.
    @inline(__always)
    func memberCount(at position: Int) -> Int {
        unsafe Int(truncatingIfNeeded: self[unchecked: position &+ 1].bits &>> 32)
    }

    /// Returns the position of the first element or key of the container at `position`. For an empty container it is
    /// the position after the container.
    @inline(__always)
    func firstChild(of position: Int) -> Int { position &+ IndexWord.wordsOfContainer }

    /// Returns the hint of the container at `position`: where its next reader starts (``MemberHint`` for an object,
    /// ``ElementHint`` for an array); 0 if there is none.
    @inline(__always)
    func hint(of position: Int) -> UInt64 {
        unsafe assert(self[unchecked: position].tag.isContainer)
        return unsafe AtomicWord.load(base + (position &+ 2)) ?? 0
    }

    /// Stores a hint for the next reader of the container at `position`.
    @inline(__always)
    func setHint(_ hint: UInt64, of position: Int) {
        unsafe assert(self[unchecked: position].tag.isContainer)
        unsafe AtomicWord.store(hint, to: base + (position &+ 2))
    }
}
