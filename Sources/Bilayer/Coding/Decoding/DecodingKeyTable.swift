/// The JSON keys of one type whose values differ in one byte.
@safe
struct DecodingKeyTable: ConvertedKeys {
    /// The JSON key that was found first for each key.
    var table: KeyTable
    /// The number of each key's name in the session's ``KeyConversionCache``, -1 before it is requested.
    private var names = [Int](repeating: -1, count: 16)

    /// The keys as a naming converts them.
    var named: NamedKeys

    init(hasBytes: Bool) {
        table = KeyTable(hasBytes: hasBytes)
        named = NamedKeys(hasBytes: hasBytes)
    }

    /// The number of a key's name.
    mutating func name(
        _ number: Int,
        of key: some CodingKey,
        in conversions: UnsafeMutablePointer<KeyConversionCache>
    ) -> Int {
        if number >= names.count { names += [Int](repeating: -1, count: 256 &- names.count) }
        if names[number] < 0 { names[number] = unsafe conversions.pointee.number(of: key.stringValue) }
        return names[number]
    }

    /// One bit out of 64 for each name, the same for the same name.
    static func bit(ofName number: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: number & 63) }

    /// Frees all memory.
    func deallocate() {
        table.deallocate()
        named.deallocate()
    }
}
