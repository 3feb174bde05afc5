extension JsonNodes {
    /// The bool at a position, nil for anything else.
    @inline(__always)
    func bool(at position: Int) -> Bool? {
        let tag = tag(at: position)
        return tag == .true ? true : tag == .false ? false : nil
    }

    /// The string at a position, nil for anything else.
    @inline(__always)
    func stringValue(at position: Int) -> String? {
        tag(at: position).isString ? string(at: position) : nil
    }

    /// The integer at a position, nil if there is none that fits. Types of more than 64 bits get all of theirs.
    @inline(__always)
    func integerValue<Integer: FixedWidthInteger>(_ type: Integer.Type, at position: Int) -> Integer? {
        if let value: Integer = integer(at: position) { return value }
        return Integer.bitWidth > 64 && tag(at: position) == .integer ? Integer(text(at: position)) : nil
    }
}
