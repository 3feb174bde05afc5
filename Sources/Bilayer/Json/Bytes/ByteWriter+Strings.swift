extension ByteWriter {
    /// Writes a string with its quotes. Quotes, backslashes and control characters are escaped (RFC 8259 §7), nothing else.
    @inline(__always)
    mutating func write(_ text: String) {
        text.withJsonBytes { bytes in write(utf8: bytes) }
    }

    /// Writes what opens a member: a comma after another one, the key and a colon.
    mutating func write(key: String, isFirst: Bool) {
        key.withJsonBytes { bytes in writeContents(bytes, afterComma: !isFirst, beforeColon: true) }
    }

    /// Writes well-formed UTF-8 as a string.
    mutating func write(utf8 bytes: JsonBytes) { writeContents(bytes, afterComma: false, beforeColon: false) }

    /// The same. Eight bytes are looked at and stored at a time; the last eight overlap those before.
    @inline(__always)
    private mutating func writeContents(_ bytes: JsonBytes, afterComma: Bool, beforeColon: Bool) {
        let length = bytes.count
        // Comma, quotes, colon, and the eight bytes of a short text's one store.
        reserve(length &+ 12)
        if afterComma { put(Ascii.comma) }
        defer { if beforeColon { put(Ascii.colon) } }
        let start = count &+ 1
        unsafe base[count] = Ascii.quote
        if length < 8 {
            let word = bytes.firstWord
            // What stands behind a short text is none of its bytes, and a blank needs no escape.
            if Swar.escapeStops(word | 0x2020_2020_2020_2020 & ~KeyPattern.mask(length: length)) != 0 {
                return writeEscaping(bytes, from: 0, at: start)
            }
            store(word, at: start)
        } else {
            var position = 0
            while position < length {
                let next = min(position, length &- 8)
                let word = bytes.word(at: next)
                if Swar.escapeStops(word) != 0 { return writeEscaping(bytes, from: next, at: start &+ next) }
                store(word, at: start &+ next)
                position &+= 8
            }
        }
        unsafe base[start &+ length] = Ascii.quote
        count = start &+ length &+ 1
    }

    /// The rest of a string that needs escapes, and the closing quote.
    @inline(never)
    private mutating func writeEscaping(_ bytes: JsonBytes, from start: Int, at place: Int) {
        count = place
        // At most six bytes for one, the quote, and a colon.
        reserve((bytes.count &- start) &* 6 &+ 2)
        for position in start..<bytes.count {
            let byte = bytes[position]
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

    /// Writes at most six bytes; there is room for them.
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
    /// The lower-case hexadecimal digit of a value below 16.
    static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? zero &+ value : 0x57 &+ value }
}
