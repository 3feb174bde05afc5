extension ByteWriter {
    /// Writes a string with its quotes. Quotes, backslashes and control characters are escaped (RFC 8259 §7), nothing else.
    @inline(__always)
    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in unsafe write(utf8: JsonBytes(UnsafeRawBufferPointer(utf8))) }
    }

    /// Writes well-formed UTF-8 as a string.
    mutating func write(utf8 bytes: JsonBytes) {
        let length = bytes.count
        reserve(length &+ 2)
        unsafe base[count] = Ascii.quote
        count &+= 1
        var position = 0
        while position &+ 8 <= length {
            let word = bytes.word(at: position)
            if Swar.escapeStops(word) != 0 { return writeEscaping(bytes, from: position) }
            unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: word.littleEndian, as: UInt64.self)
            count &+= 8
            position &+= 8
        }
        while position < length {
            let byte = bytes[position]
            if byte < 0x20 || byte == Ascii.quote || byte == Ascii.backslash {
                return writeEscaping(bytes, from: position)
            }
            unsafe base[count] = byte
            count &+= 1
            position &+= 1
        }
        unsafe base[count] = Ascii.quote
        count &+= 1
    }

    /// The rest of a string that needs escapes, and the closing quote.
    @inline(never)
    private mutating func writeEscaping(_ bytes: JsonBytes, from start: Int) {
        // At most six bytes for one.
        reserve((bytes.count &- start) &* 6 &+ 1)
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
