extension ByteWriter {
    /// Writes an integer in decimal digits.
    @inline(__always)
    mutating func write(_ value: some FixedWidthInteger) {
        let text = String(value)
        for byte in text.utf8 { write(byte: byte) }
    }

    /// Writes a finite double with the fewest digits that read back as the same double. Whole numbers have no point.
    mutating func write(_ value: Double) {
        var text = value.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        for byte in text.utf8 { write(byte: byte) }
    }
}
