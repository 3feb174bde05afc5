/// Where the last look-up in an object stopped: members that are read in the order of the text are found by
/// looking at one key.
///
/// With equal keys the first one counts, and the shortcut must not change that. So there is a filter of 47 bits of the
/// keys that are before the place. A key outside it cannot be among them. At the first doubt all keys of the object are
/// compared; if they are distinct, that is noted, and there is no doubt any more. If not, a doubtful key is looked for
/// from the start.
///
/// Hints describe the object only, so concurrent writes are harmless: readers on several threads may overwrite each
/// other's hints, but none can be wrong. Bits 0–15 are the place, in words from the first key on, bits 16–62 the
/// filter, bit 63 says that the keys are distinct. All zeros mean the place before the first member.
struct MemberHint {
    private(set) var bits: UInt64

    /// Where to look first, in words from the first key on.
    @inline(__always)
    var distance: Int { Int(truncatingIfNeeded: bits & 0xFFFF) }

    /// Whether a key may be before the place, and again at it or behind.
    @inline(__always)
    func mayHavePassed(_ keyBit: UInt64) -> Bool { mayHold(keyBit) && !keysAreDistinct }

    /// Whether a key may be before the place.
    @inline(__always)
    func mayHold(_ keyBit: UInt64) -> Bool { bits & keyBit != 0 }

    /// True only if all keys are proven distinct; false means unknown.
    @inline(__always)
    var keysAreDistinct: Bool { bits & Self.distinct != 0 }

    /// Notes that all keys are distinct.
    mutating func setKeysAreDistinct() { bits |= Self.distinct }

    /// Goes past keys. A place too far away is not noted: then the next look-up starts where this one did.
    /// - Parameters:
    ///   - keyBits: The keys' bits.
    ///   - distance: The new place.
    @inline(__always)
    mutating func advance(past keyBits: UInt64, to distance: Int) {
        if distance <= Self.greatestDistance {
            bits = bits & ~0xFFFF | keyBits | UInt64(truncatingIfNeeded: distance)
        }
    }

    /// Goes past a key in an object of no more than ``greatestDistance`` words.
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

/// Where the last look-up in an array stopped: an element's index (bits 0–31) and its place, in words from the first
/// element on (bits 32–63). Elements that are asked for one after another are found without walking from the front.
struct ElementHint {
    let bits: UInt64

    init(bits: UInt64) { self.bits = bits }

    init(index: Int, distance: Int) {
        bits = UInt64(UInt32(clamping: index)) | UInt64(UInt32(clamping: distance)) &<< 32
    }

    var index: Int { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    var distance: Int { Int(truncatingIfNeeded: bits &>> 32) }
}
