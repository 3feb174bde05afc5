/// A key that an entry reads by hand (``RawDecodable``): its text, and what a look-up compares with the index.
///
/// In an optimized build, the compiler computes the other properties where the app's code has the key. So a look-up of
/// the member that an object's hint expects next compares three or four words with constants.
@usableFromInline
struct FieldKey {
    @usableFromInline let text: String
    /// The bit of the key in the filter of a ``MemberHint``; 0 if ``shape`` is 0.
    @usableFromInline let filterBit: UInt64
    /// The key's index word (``IndexWord``), with other contents in the bits of the offset; 0 for a key that is empty,
    /// not ASCII or no ``SmallString``.
    ///
    /// | bits | meaning |
    /// |---|---|
    /// | 0–3 | the tag of an ASCII string |
    /// | 4–9 | how far the last compared word is shifted to remove the bytes that follow the key |
    /// | 10 | whether the key has more than eight bytes |
    /// | 36–63 | the length |
    @usableFromInline let shape: UInt64

    @inlinable
    @inline(__always)
    init(_ text: String) {
        self.text = text
        guard let small = SmallString(ascii: text), small.count > 0 else {
            (filterBit, shape) = (0, 0)
            return
        }
        filterBit = KeyHash(first: small.first, rest: small.rest, length: small.count).filterBit
        let length = UInt64(truncatingIfNeeded: small.count)
        let isLong: UInt64 = length > 8 ? 1 : 0
        let shift = (64 &+ 64 &* isLong) &- 8 &* length
        shape = Self.asciiTag | shift &<< 4 | isLong &<< 10 | length &<< 36
    }

    /// ``IndexWord/Tag/asciiString``, for code in the app.
    @inlinable static var asciiTag: UInt64 { 8 }

    /// Whether a string in the index has the tag and the length of this key.
    @inline(__always)
    func hasShape(of word: IndexWord) -> Bool { (word.bits ^ shape) & ~IndexWord.offsetBits == 0 }

    /// Whether the text has the key at an offset.
    ///
    /// **Bound.** The text has 16 bytes from the offset on.
    /// - Parameters:
    ///   - bytes: The text.
    ///   - offset: The offset of a string with the shape of this key.
    /// - Returns: Whether the bytes are those of the key.
    @inline(__always)
    @unsafe
    func matches(_ bytes: JsonBytes, at offset: Int) -> Bool {
        let key = unsafe unsafeBitCast(text, to: SmallString.Bits.self)
        var difference = unsafe bytes.word(unchecked: offset) ^ key.low
        if shape & 1 &<< 10 != 0 {
            if difference != 0 { return false }
            // The shift removes the top byte, too, which in `high` is not part of the key.
            difference = unsafe bytes.word(unchecked: offset &+ 8) ^ key.high
        }
        return difference &<< (shape &>> 4) == 0
    }
}
