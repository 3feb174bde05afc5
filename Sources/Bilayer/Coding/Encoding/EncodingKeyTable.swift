/// The JSON keys that a ``KeyNaming`` makes for one key type. The type's values take one byte each, or no bytes if
/// there is only one.
@safe
struct EncodingKeyTable: ConvertedKeys {
    /// The bytes for each key; empty for a key that is written by name.
    private(set) var table: KeyTable
    /// Identifies the naming that made the keys: its number in the session (``EncodingContext/Storage/namingNumber``).
    private var naming = 0
    private let hasBytes: Bool

    /// The number of keys that a set of 64 bits can hold.
    private static let most = 64

    init(hasBytes: Bool) {
        self.hasBytes = hasBytes
        table = KeyTable(hasBytes: hasBytes, capacity: Self.most)
    }

    /// Clears the table if another naming made the keys.
    mutating func use(_ naming: Int) {
        if naming == self.naming { return }
        self.naming = naming
        table.deallocate()
        table = KeyTable(hasBytes: hasBytes, capacity: Self.most)
    }

    /// Returns the bytes to write for a key; `nil` if the key is written by name.
    mutating func entry(_ number: Int, written name: () -> String) -> UnsafePointer<EncodedKey>? {
        number < Self.most ? unsafe table.entryToWrite(number, named: name) : nil
    }

    /// Frees all memory.
    func deallocate() { table.deallocate() }
}
