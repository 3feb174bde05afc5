/// A string of at most 15 bytes in the standard library's inline representation. Reading its bytes, and making a string
/// from bytes, takes place in registers without a call.
///
/// On 64-bit little-endian systems, the first 15 bytes of such a string are its text, with zeros after the end. The
/// last byte stores the length and whether all bytes are ASCII. This depends on the layout of `String`, which is frozen
/// on Apple's systems. ``isUsable`` checks the layout, in an optimized build at compile time. On other systems no
/// `SmallString` is made. A build with `-D BILAYER_PLAIN_STRINGS` disables the type, for tests and to measure its gain.
///
/// **Bound.** Only the bits of values are read and written, no other memory.
@usableFromInline
struct SmallString {
    /// The first eight bytes, with zeros after the end.
    @usableFromInline let first: UInt64
    /// The other seven bytes, with zeros after the end. The top byte is 0.
    @usableFromInline let rest: UInt64
    /// The length in bytes.
    @usableFromInline let count: Int

    /// The maximum number of bytes.
    static var greatestCount: Int { 15 }

    /// Reads the bytes of a short string that is all ASCII. Returns nil for every other string, and for a short one
    /// that is not in the inline representation.
    @inlinable
    @inline(__always)
    init?(ascii string: String) {
        guard Self.isUsable else { return nil }
        let bits = unsafe unsafeBitCast(string, to: Bits.self)
        guard bits.high &>> 60 == Self.ascii &>> 60 else { return nil }
        first = bits.low
        rest = bits.high & Self.contents
        count = Int(truncatingIfNeeded: bits.high &>> 56 & 0xF)
    }

    /// Makes a string from bytes. ``isUsable`` must be true.
    /// - Parameters:
    ///   - first: The first eight bytes, with zeros after the end. Together with `rest` they must be well-formed UTF-8.
    ///   - rest: The other seven bytes, with zeros after the end.
    ///   - count: The length in bytes, at most 15.
    ///   - isASCII: Whether no byte is over 0x7F.
    /// - Returns: The string.
    @inline(__always)
    static func make(first: UInt64, rest: UInt64, count: Int, isASCII: Bool) -> String {
        let head = (isASCII ? ascii : unicode) | UInt64(truncatingIfNeeded: count) &<< 56
        // A bit cast would make a copy and count its references.
        var string = ""
        unsafe withUnsafeMutableBytes(of: &string) { bytes in
            // Bound: `isUsable` has compared the sizes. The overwritten value is the empty string, which owns no
            // memory.
            unsafe bytes.storeBytes(of: Bits(low: first, high: rest | head), as: Bits.self)
        }
        return string
    }

    /// Whether the standard library stores short strings in this representation.
    @inlinable
    @inline(__always)
    static var isUsable: Bool {
        #if BILAYER_PLAIN_STRINGS
        return false
        #else
        guard MemoryLayout<String>.size == MemoryLayout<Bits>.size else { return false }
        let short = unsafe unsafeBitCast("abcdefghij", to: Bits.self)
        let unicode = unsafe unsafeBitCast("é", to: Bits.self)
        return short.low == 0x6867_6665_6463_6261 && short.high == ascii | 10 &<< 56 | 0x6A69
            && unicode.low == 0xA9C3 && unicode.high == Self.unicode | 2 &<< 56
        #endif
    }

    @usableFromInline
    struct Bits {
        @usableFromInline let low: UInt64
        @usableFromInline let high: UInt64

        @inlinable
        init(low: UInt64, high: UInt64) {
            self.low = low
            self.high = high
        }
    }

    @inlinable static var ascii: UInt64 { 0xE &<< 60 }
    @inlinable static var unicode: UInt64 { 0xA &<< 60 }
    @inlinable static var contents: UInt64 { 1 &<< 56 &- 1 }
}
