/// Where the last look-up in an object stopped: members that are asked for in the order in which they stand in the text are found by
/// looking at one key.
///
/// With equal keys the first one counts, and the shortcut must not change that. So there is a filter of 48 bits of the keys
/// that stand before the place. A key outside it cannot be among them; any other is looked for from the start.
///
/// Both are facts about the object alone, whoever found them out: readers on several threads may overwrite each other's hints, but
/// none can be wrong. Bits 0–15 are the place, in words from the first key on, bits 16–63 the filter. All zeros stand before the
/// first member.
struct MemberHint {
    private(set) var bits: UInt64

    /// Where to look first, in words from the first key on.
    @inline(__always)
    var distance: Int { Int(truncatingIfNeeded: bits & 0xFFFF) }

    /// Whether a key may stand before the place.
    @inline(__always)
    func mayHavePassed(_ keyBit: UInt64) -> Bool { bits & keyBit != 0 }

    /// Goes past keys. A place too far away is not noted: then the next look-up starts where this one did.
    /// - Parameters:
    ///   - keyBits: The keys' bits.
    ///   - distance: The new place.
    @inline(__always)
    mutating func advance(past keyBits: UInt64, to distance: Int) {
        if distance <= 0xFFFF { bits = bits & ~0xFFFF | keyBits | UInt64(truncatingIfNeeded: distance) }
    }

    /// The bit of a key, from its length and its first and last eight bytes; of a shorter one all bytes with zeros after them, and 0.
    @inline(__always)
    static func bit(first: UInt64, last: UInt64, length: Int) -> UInt64 {
        let mixed = (first ^ last ^ UInt64(truncatingIfNeeded: length) &<< 56) &* 0x9E37_79B9_7F4A_7C15
        return 1 &<< ((mixed &>> 32 &* 48) &>> 32 &+ 16)
    }

    /// The bits of a key that may be any.
    static var everyBit: UInt64 { ~0xFFFF }
}

/// Where the last look-up in an array stopped: an element's index (bits 0–31) and its place, in words from the first element on
/// (bits 32–63). Elements that are asked for one after another are found without walking from the front.
struct ElementHint {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    init(index: Int, distance: Int) {
        bits = UInt64(UInt32(clamping: index)) | UInt64(UInt32(clamping: distance)) &<< 32
    }

    var index: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    var distance: Int { Int(truncatingIfNeeded: bits &>> 32) }
}
