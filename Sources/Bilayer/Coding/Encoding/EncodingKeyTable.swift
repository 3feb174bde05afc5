/// The keys of one type whose values are told apart by one byte, as a naming writes them.
@safe
struct EncodingKeyTable: ConvertedKeys {
    /// What is written for each key; nothing for a key that is to be written by name.
    private(set) var table: KeyTable
    /// Which of the session's namings made them; see ``EncodingContext/Storage/namingNumber``.
    private var naming = 0
    private let hasBytes: Bool

    /// As many as a set of 64 bits can tell apart.
    private static let most = 64

    init(hasBytes: Bool) {
        self.hasBytes = hasBytes
        table = KeyTable(hasBytes: hasBytes, capacity: Self.most)
    }

    /// Begins anew if the keys were made by another naming.
    mutating func use(_ naming: Int) {
        if naming == self.naming { return }
        self.naming = naming
        table.deallocate()
        table = KeyTable(hasBytes: hasBytes, capacity: Self.most)
    }

    /// What is written for a key; nil if it is to be written by name.
    mutating func entry(_ number: Int, written name: () -> String) -> UnsafePointer<EncodedKey>? {
        number < Self.most ? unsafe table.entryToWrite(number, named: name) : nil
    }

    /// Frees everything.
    func deallocate() { table.deallocate() }
}
