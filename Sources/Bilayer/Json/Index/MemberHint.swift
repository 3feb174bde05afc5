/// The cursor of the last look-up in an object. Members that are read in the order of the text are found with one
/// comparison.
///
/// Of equal keys the first one counts, and the hint must not change that. So a filter of 47 bits holds the keys before
/// the cursor. A key outside the filter cannot be among them. For a key inside it, all keys of an object of 20
/// members or more are compared. If they are distinct, the hint stores that, and the filter is not needed again. If
/// not, and in smaller objects, such a key is searched from the first member on.
///
/// Hints describe the object only, so concurrent writes are harmless. Bits 0–15 are the cursor, in words from the first
/// key on. Bits 16–62 are the filter. Bit 63 is set if the keys are distinct. All zeros mean a cursor at the first
/// member.
struct MemberHint {
    private(set) var bits: UInt64

    /// The cursor, in words from the first key on.
    @inline(__always)
    var distance: Int { Int(truncatingIfNeeded: bits & 0xFFFF) }

    /// Whether a key may precede the cursor, and another equal key may follow it.
    @inline(__always)
    func mayHavePassed(_ keyBit: UInt64) -> Bool { mayHold(keyBit) && !keysAreDistinct }

    /// Whether a key may precede the cursor.
    @inline(__always)
    func mayHold(_ keyBit: UInt64) -> Bool { bits & keyBit != 0 }

    /// True only if all keys are proven distinct; false means unknown.
    @inline(__always)
    var keysAreDistinct: Bool { bits & Self.distinct != 0 }

    /// Notes that all keys are distinct.
    mutating func setKeysAreDistinct() { bits |= Self.distinct }

    /// Moves the cursor past keys. A cursor too far away is not stored, so the next look-up starts where this one did.
    /// - Parameters:
    ///   - keyBits: The keys' bits.
    ///   - distance: The new cursor.
    @inline(__always)
    mutating func advance(past keyBits: UInt64, to distance: Int) {
        if distance <= Self.greatestDistance {
            bits = bits & ~0xFFFF | keyBits | UInt64(truncatingIfNeeded: distance)
        }
    }

    /// Moves the cursor past a key in an object of no more than ``greatestDistance`` words.
    @inline(__always)
    mutating func advance(past keyBit: UInt64, by words: Int) {
        bits = (bits | keyBit) &+ UInt64(truncatingIfNeeded: words)
    }

    /// The bits of a key that may be any.
    static var everyBit: UInt64 { ~0xFFFF & ~distinct }

    /// Words from the first key on that a hint can name.
    static var greatestDistance: Int { 0xFFFF }
    private static var distinct: UInt64 { 1 &<< 63 }
}

/// The cursor of the last look-up in an array: an element's index (bits 0–31), and its distance in words from the first
/// element (bits 32–63). Elements read in order are found without a walk from the first one.
struct ElementHint {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    init(index: Int, distance: Int) {
        bits = UInt64(UInt32(clamping: index)) | UInt64(UInt32(clamping: distance)) &<< 32
    }

    var index: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    var distance: Int { Int(truncatingIfNeeded: bits &>> 32) }
}
