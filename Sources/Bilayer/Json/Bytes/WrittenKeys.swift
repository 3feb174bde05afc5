/// The keys of one type whose values are told apart by one byte, as a naming writes them.
@safe
struct WrittenKeys: ConvertedKeys {
    /// What is written for each key; nothing for a key that is to be written by name.
    private(set) var table: KeyTable
    /// Which of the session's namings made them; see ``EncodingContext/Storage/namingNumber``.
    private var naming = 0
    /// Which key is written as what, to notice when two are written the same: then both are written by name, which tells.
    private var numbers: [JsonKey: Int] = [:]
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
        numbers = [:]
        table.deallocate()
        table = KeyTable(hasBytes: hasBytes, capacity: Self.most)
    }

    /// What is written for a key, made on first use; nil if it is to be written by name.
    mutating func entry(_ number: Int, written name: () -> String) -> UnsafePointer<KeyEntry>? {
        guard number < Self.most else { return nil }
        let entry = unsafe table.entry(number)
        if unsafe entry.pointee.length < 0 { add(number, name()) }
        return unsafe entry.pointee.memberCount > 0 ? entry : nil
    }

    private mutating func add(_ number: Int, _ name: String) {
        table.spell(number, name)
        guard let other = numbers.updateValue(number, forKey: JsonKey(text: name)) else { return }
        table.silence(other)
        table.silence(number)
    }

    /// Frees everything.
    func deallocate() { table.deallocate() }
}
