/// A number that is equal for equal keys. The compiler computes it where the app names a short key (``FieldKey``).
///
/// It serves only filters of the keys before a cursor (``MemberHint``, ``KeyedReader``). Another key with an equal bit
/// costs one walk over the object, as a missing key does. Structures that grow with the text use ``KeySeed``.
@usableFromInline
struct KeyHash {
    /// The number; its top bits are the best ones.
    @usableFromInline let bits: UInt64

    /// Hashes a key.
    /// - Parameters:
    ///   - first: The first eight bytes, zeros after the end.
    ///   - rest: The bytes after those, zeros after the end; of a key of 16 bytes or more the last eight.
    ///   - length: Length in bytes.
    @inlinable
    @inline(__always)
    init(first: UInt64, rest: UInt64, length: Int) {
        bits = (first ^ rest ^ UInt64(truncatingIfNeeded: length) &<< 56) &* 0xFF51_AFD7_ED55_8CCD
    }

    /// The key's bit in a filter of 47 bits: one of 16 to 62, which a ``MemberHint`` has for it.
    @inlinable
    @inline(__always)
    var filterBit: UInt64 { 1 &<< ((bits &>> 32 &* 47) &>> 32 &+ 16) }
}

/// A key that an entry reads by hand: its text, and the look-up data of a short one.
@usableFromInline
struct FieldKey {
    @usableFromInline let text: String
    /// The key's bit in the filter of a ``MemberHint``; 0 for a long key, and for one that is not ASCII.
    @usableFromInline let filterBit: UInt64

    @inlinable
    @inline(__always)
    init(_ text: String) {
        self.text = text
        if let small = SmallString(ascii: text) {
            filterBit = KeyHash(first: small.first, rest: small.rest, length: small.count).filterBit
        } else {
            filterBit = 0
        }
    }
}
