/// The JSON keys of one key type under a key strategy. The type's values take one byte each, or no bytes if there is
/// only one.
@safe
struct DecodingKeyTable: ConvertedKeys {
    /// With snake case: for each key, the JSON key that was found first.
    var table: KeyTable
    /// The number of each key's name in the session's ``KeyConversionCache``, -1 before it is requested.
    private var names = [Int](repeating: -1, count: 16)

    /// With a naming: the JSON keys that the naming makes.
    var named: NamingKeyTable

    init(hasBytes: Bool) {
        table = KeyTable(hasBytes: hasBytes)
        named = NamingKeyTable(hasBytes: hasBytes)
    }

    /// Returns the number of a key's name in a ``KeyConversionCache``.
    mutating func name(
        _ number: Int,
        of key: some CodingKey,
        in conversions: UnsafeMutablePointer<KeyConversionCache>
    ) -> Int {
        if number >= names.count { names += [Int](repeating: -1, count: 256 &- names.count) }
        if names[number] < 0 { names[number] = unsafe conversions.pointee.number(of: key.stringValue) }
        return names[number]
    }

    /// Returns the bit of a name in a set of 64 bits. Different names may share a bit.
    static func bit(ofName number: Int) -> UInt64 { 1 &<< UInt64(truncatingIfNeeded: number & 63) }

    /// Frees all memory.
    func deallocate() {
        table.deallocate()
        named.deallocate()
    }
}
