/// The bytes with a meaning in JSON.
enum Ascii {
    static var quote: UInt8 { 0x22 }
    static var backslash: UInt8 { 0x5C }
    static var slash: UInt8 { 0x2F }
    static var comma: UInt8 { 0x2C }
    static var colon: UInt8 { 0x3A }
    static var minus: UInt8 { 0x2D }
    static var plus: UInt8 { 0x2B }
    static var point: UInt8 { 0x2E }
    static var zero: UInt8 { 0x30 }
    static var nine: UInt8 { 0x39 }
    static var openBracket: UInt8 { 0x5B }
    static var closeBracket: UInt8 { 0x5D }
    static var openBrace: UInt8 { 0x7B }
    static var closeBrace: UInt8 { 0x7D }
    static var space: UInt8 { 0x20 }
    static var newline: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var tab: UInt8 { 0x09 }
    static var b: UInt8 { 0x62 }
    static var e: UInt8 { 0x65 }
    static var f: UInt8 { 0x66 }
    static var n: UInt8 { 0x6E }
    static var r: UInt8 { 0x72 }
    static var t: UInt8 { 0x74 }
    static var u: UInt8 { 0x75 }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero <= 9 }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool {
        byte == newline || byte == space || byte == carriageReturn || byte == tab
    }

    /// Returns the value of a hexadecimal digit of either case; nil for another byte.
    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte &- 0x30)
        case 0x41...0x46: UInt32(byte &- 0x37)
        case 0x61...0x66: UInt32(byte &- 0x57)
        default: nil
        }
    }

    /// Returns the byte that an escape of one letter represents.
    static func unescaped(_ letter: UInt8) -> UInt8 {
        switch letter {
        case b: 0x08
        case f: 0x0C
        case n: newline
        case r: carriageReturn
        case t: tab
        default: letter
        }
    }
}
