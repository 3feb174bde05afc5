/// UTF-8 sequences of two to four bytes, read as one little-endian word.
enum Utf8 {
    /// Whether the lowest six bytes of a word are two characters of three bytes each, whose first byte is E1 to EC. All
    /// such characters are allowed.
    @inline(__always)
    static func isTwoOfThreeBytes(_ bytes: UInt64) -> Bool {
        // The row is the lower half of the first byte. Rows 1 to 12 pass the test. Row 0 has sequences that are too
        // long, and row 13 has the surrogates. ``sequenceLength(_:)`` tests these rows, and rows 14 and 15.
        let rows = bytes & 0x0000_0000_0F00_000F
        return bytes & 0x0000_C0C0_F0C0_C0F0 == 0x0000_8080_E080_80E0
            && ((rows &+ 0x0300_0003) | (rows &- 0x0100_0001)) & 0x1000_0010 == 0
    }

    /// Returns the length of the well-formed sequence in the lowest bytes of a word; 0 if there is none.
    @inline(__always)
    static func sequenceLength(_ bytes: UInt32) -> Int {
        if bytes & 0x00C0_C0F0 == 0x0080_80E0 {
            // Only the first row of three-byte characters has sequences that are too long, and only row 13 has
            // surrogates.
            let row = bytes & 0x0F
            if row != 0x00, row != 0x0D { return 3 }
            let scalar = (bytes & 0x0F) &<< 12 | (bytes &>> 2) & 0xFC0 | (bytes &>> 16) & 0x3F
            return scalar >= 0x800 && scalar & 0xF800 != 0xD800 ? 3 : 0
        }
        if bytes & 0xC0E0 == 0x80C0 {
            return bytes & 0x1E == 0 ? 0 : 2
        }
        if bytes & 0xC0C0_C0F8 == 0x8080_80F0 {
            let planes = (bytes & 0x07) &<< 18 | (bytes &<< 4) & 0x3_F000
            return planes >= 0x1_0000 && planes < 0x11_0000 ? 4 : 0
        }
        return 0
    }
}

extension Utf8 {
    /// Writes a scalar as UTF-8 and returns the number of bytes. `output` must have capacity for these bytes from
    /// `start` on.
    @unsafe
    static func write(_ scalar: UInt32, into output: UnsafeMutableBufferPointer<UInt8>, at start: Int) -> Int {
        func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | (scalar &>> shift) & 0x3F) }
        switch scalar {
        case ..<0x80:
            unsafe output[start] = UInt8(truncatingIfNeeded: scalar)
            return 1
        case ..<0x800:
            unsafe output[start] = UInt8(truncatingIfNeeded: 0xC0 | scalar &>> 6)
            unsafe output[start &+ 1] = tail(0)
            return 2
        case ..<0x1_0000:
            unsafe output[start] = UInt8(truncatingIfNeeded: 0xE0 | scalar &>> 12)
            unsafe output[start &+ 1] = tail(6)
            unsafe output[start &+ 2] = tail(0)
            return 3
        default:
            unsafe output[start] = UInt8(truncatingIfNeeded: 0xF0 | scalar &>> 18)
            unsafe output[start &+ 1] = tail(12)
            unsafe output[start &+ 2] = tail(6)
            unsafe output[start &+ 3] = tail(0)
            return 4
        }
    }
}
