extension ByteWriter {
    /// Writes a string with its quotes. Escapes quotes, backslashes and control characters (RFC 8259 §7), and no other
    /// characters.
    mutating func write(_ text: String) {
        reserve(Self.capacityForShort)
        put(text)
    }

    /// Writes a string. The caller has reserved ``capacityForShort``, which is enough for a short string.
    @inline(__always)
    mutating func put(_ text: String) {
        if let short = SmallString(ascii: text), let end = putShort(short) {
            unsafe base[end] = Ascii.quote
            count = end &+ 1
        } else {
            writeLong(text)
        }
    }

    /// Writes the start of a member: a comma unless it is the first, the key and a colon.
    /// - Parameters:
    ///   - key: The key.
    ///   - isFirst: Whether it is the first member.
    ///   - more: The number of bytes to reserve after the colon.
    @inline(__always)
    mutating func write(key: MemberKey, isFirst: Bool, reserving more: Int = 0) {
        reserve(Self.capacityForShort &+ more)
        // The comma is always stored, but only counted if the member is not the first.
        unsafe base[count] = Ascii.comma
        if !isFirst { count &+= 1 }
        if key.isPlain, let short = SmallString(ascii: key.text) {
            let end = putUnchecked(short)
            unsafe base[end] = Ascii.quote
            unsafe base[end &+ 1] = Ascii.colon
            count = end &+ 2
        } else {
            writeLong(key: key.text)
            reserve(more)
        }
    }

    /// The capacity to reserve for a short string: its quotes, a comma and a colon, and the sixteen bytes that are
    /// stored at once, rounded up.
    static var capacityForShort: Int { 24 }

    /// Writes a quote and the text, if no byte of the text needs an escape. The caller has reserved
    /// ``capacityForShort``.
    /// - Parameter text: The text.
    /// - Returns: The offset of the closing quote; nil if a byte needs an escape. Then nothing is written.
    @inline(__always)
    private mutating func putShort(_ text: SmallString) -> Int? {
        text.needsNoEscape ? putUnchecked(text) : nil
    }

    /// Writes a quote and a text that needs no escapes. The caller has reserved ``capacityForShort``.
    /// - Parameter text: The text.
    /// - Returns: The offset of the closing quote.
    @inline(__always)
    private mutating func putUnchecked(_ text: SmallString) -> Int {
        unsafe base[count] = Ascii.quote
        store(text.first, at: count &+ 1)
        store(text.rest, at: count &+ 9)
        return count &+ 1 &+ text.count
    }

    @inline(never)
    private mutating func writeLong(_ text: String) {
        text.withJsonBytes { bytes in write(utf8: bytes) }
    }

    @inline(never)
    private mutating func writeLong(key: String) {
        writeLong(key)
        write(byte: Ascii.colon)
    }

    /// Writes well-formed UTF-8 as a string. Tests and stores eight bytes at a time. The last store can overlap the
    /// store before it.
    mutating func write(utf8 bytes: JsonBytes) {
        let length = bytes.count
        // Reserved for the text and its two quotes, and for the eight bytes of the only store for a short text.
        reserve(length &+ 10)
        let start = count &+ 1
        unsafe base[count] = Ascii.quote
        if length < 8 {
            let word = bytes.firstWord
            // The bytes after a short text do not belong to it. For the test they are replaced by blanks, which need no
            // escape.
            if Swar.escapeStops(word | 0x2020_2020_2020_2020 & ~JsonBytes.mask(length: length)) != 0 {
                return writeEscaping(bytes, from: 0, at: start)
            }
            store(word, at: start)
        } else {
            var position = 0
            while position < length {
                let next = min(position, length &- 8)
                let word = unsafe bytes.word(unchecked: next)
                if Swar.escapeStops(word) != 0 { return writeEscaping(bytes, from: next, at: start &+ next) }
                store(word, at: start &+ next)
                position &+= 8
            }
        }
        unsafe base[start &+ length] = Ascii.quote
        count = start &+ length &+ 1
    }

    /// Writes the rest of a string that needs escapes, and the closing quote.
    @inline(never)
    private mutating func writeEscaping(_ bytes: JsonBytes, from start: Int, at offset: Int) {
        count = offset
        // At most six bytes for each byte of the text, and the quote.
        reserve((bytes.count &- start) &* 6 &+ 1)
        for position in start..<bytes.count {
            let byte = unsafe bytes[unchecked: position]
            if byte >= 0x20 && byte != Ascii.quote && byte != Ascii.backslash {
                unsafe base[count] = byte
                count &+= 1
            } else {
                writeEscape(of: byte)
            }
        }
        unsafe base[count] = Ascii.quote
        count &+= 1
    }

    /// Writes the escape of a byte: at most six bytes, which the caller has reserved.
    private mutating func writeEscape(of byte: UInt8) {
        let letter: UInt8? =
            switch byte {
            case Ascii.quote, Ascii.backslash: byte
            case Ascii.newline: Ascii.n
            case Ascii.carriageReturn: Ascii.r
            case Ascii.tab: Ascii.t
            case 0x08: Ascii.b
            case 0x0C: Ascii.f
            default: nil
            }
        unsafe base[count] = Ascii.backslash
        if let letter {
            unsafe base[count &+ 1] = letter
            count &+= 2
        } else {
            unsafe base[count &+ 1] = Ascii.u
            unsafe base[count &+ 2] = Ascii.zero
            unsafe base[count &+ 3] = Ascii.zero
            unsafe base[count &+ 4] = Ascii.zero &+ byte &>> 4
            unsafe base[count &+ 5] = Ascii.hexDigit(byte & 0xF)
            count &+= 6
        }
    }
}

extension Ascii {
    /// Returns the lower-case hexadecimal digit of a value below 16.
    static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? zero &+ value : 0x57 &+ value }
}
