/// The cursor for the next look-up in an object: the member after the furthest one found so far. Most members that are
/// read in the order of the text are found with one comparison.
///
/// If a key is repeated, its first member counts, even if the cursor is after that member. So a filter of 47 bits
/// stores which keys may precede the cursor. A key that is not in the filter does not precede the cursor. If a key is
/// in the filter and the object has 20 to 127 members, all its keys are compared with each other. If they are distinct,
/// the hint stores this. From then on, a key in the filter is searched after the cursor first, and then before it.
/// Otherwise, and in all other objects, a key in the filter is searched from the first member on.
///
/// Whichever thread stored it, a hint is true of the object. So concurrent writes are harmless. Systems without atomics
/// store no hints (``AtomicWord``). Bits 0–15 are the cursor: its distance in words from the first key. Bits 16–62 are
/// the filter. Bit 63 is set if the keys are distinct. All zeros mean a cursor at the first member.
struct MemberHint {
    private(set) var bits: UInt64

    /// The distance of the cursor from the first key, in words.
    @inline(__always)
    var distance: Int { Int(truncatingIfNeeded: bits & 0xFFFF) }

    /// Whether a key may precede the cursor while an equal key may follow the cursor.
    @inline(__always)
    func mayHavePassed(_ keyBit: UInt64) -> Bool {
        // The filter has the bit, and bit 63 is not set: one comparison, because bit 63 makes the number negative.
        Int64(bitPattern: bits & (keyBit | Self.distinct)) > 0
    }

    /// Whether a key may precede the cursor.
    @inline(__always)
    func filterContains(_ keyBit: UInt64) -> Bool { bits & keyBit != 0 }

    /// Stores that all keys are distinct.
    mutating func setKeysAreDistinct() { bits |= Self.distinct }

    /// Moves the cursor past keys. A distance over ``greatestDistance`` is not stored, so the next look-up starts at
    /// the old cursor.
    /// - Parameters:
    ///   - keyBits: The filter bits of the keys.
    ///   - distance: The new distance of the cursor from the first key.
    @inline(__always)
    mutating func advance(past keyBits: UInt64, to distance: Int) {
        if distance <= Self.greatestDistance {
            bits = bits & ~0xFFFF | keyBits | UInt64(truncatingIfNeeded: distance)
        }
    }

    /// Moves the cursor past one key. The object must have at most ``greatestDistance`` words.
    @inline(__always)
    mutating func advance(past keyBit: UInt64, by words: Int) {
        bits = (bits | keyBit) &+ UInt64(truncatingIfNeeded: words)
    }

    /// All bits of the filter, for a key that can equal any key.
    static var everyBit: UInt64 { ~0xFFFF & ~distinct }

    /// The maximum distance of a cursor from the first key, in words.
    static var greatestDistance: Int { 0xFFFF }
    private static var distinct: UInt64 { 1 &<< 63 }
}

/// The element of the last look-up in an array: its index (bits 0–31), and its distance in words from the first element
/// (bits 32–63). The next look-up of this element or a later one starts here, not at the first element.
struct ElementHint {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    init(index: Int, distance: Int) {
        bits = UInt64(UInt32(clamping: index)) | UInt64(UInt32(clamping: distance)) &<< 32
    }

    var index: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    var distance: Int { Int(truncatingIfNeeded: bits &>> 32) }
}
