// Look-up where a naming spells the keys: by the bytes of the spellings, and by name where a name stands in for its
// key.

extension KeyedReader {
    /// Looks keys up by their spellings from now on.
    /// - Returns: Whether that is right for the type and the object; if not, nothing has changed.
    func useNamedKeys() -> Bool {
        guard context.namingNumber != 0, let keys = unsafe state.pointee.home?.convertedKeys() else { return false }
        unsafe keys.pointee.named.use(context.namingNumber)
        if unsafe !isSpelled(by: keys) { return false }
        unsafe useTable(of: keys)
        return true
    }

    /// The index position of a key's value, or -1, for a key that was not found at the cursor.
    func findNamed<Key: CodingKey>(_ key: Key) -> Int {
        guard let keys = unsafe state.pointee.home?.convertedKeys(),
            case .naming(let naming) = context.settings.keys
        else { return find(named: key.stringValue) }
        let number = KeyTable.number(of: key)
        if unsafe !keys.pointee.named.isKnown(number) {
            let name = key.stringValue
            unsafe keys.pointee.named.add(number, name: name, spelledAs: naming.key(for: name))
            if unsafe !isSpelled(by: keys) {
                return unsafe goByName(asking: keys.pointee.named.names(in: state.pointee.asked), then: name)
            }
            unsafe useTable(of: keys)
        }
        let entry = unsafe keys.pointee.named.table.entry(number, for: key)
        if unsafe entry.matches(nodes, at: state.pointee.last) { return unsafe state.pointee.last &+ 1 }
        return unsafe findElsewhere(entry, number)
    }

    /// Bound: the keys are freed with their home, which outlives the session's containers.
    @unsafe
    private func useTable(of keys: UnsafeMutablePointer<DecodingKeyTable>) {
        unsafe withUnsafeMutablePointer(to: &keys.pointee.named.table) { table in unsafe use(table) }
    }

    /// Goes on by name in this object, as if the names that were found so far had been asked for in that way.
    private func goByName(asking names: [String], then name: String) -> Int {
        unsafe use(nil)
        let members = makeNames()
        for name in names { _ = members.position(of: name) }
        unsafe state.pointee.names = members
        return members.position(of: name)
    }

    /// Whether look-up by the spellings alone is right for the type and the object.
    ///
    /// Bound: the keys are those of the state's home.
    @unsafe
    private func isSpelled(by keys: UnsafeMutablePointer<DecodingKeyTable>) -> Bool {
        if unsafe keys.pointee.named.hasClash { return false }
        let nodes = nodes
        return unsafe !keys.pointee.named.isNamed(in: nodes, from: nodes.firstChild(of: object), to: state.pointee.end)
    }
}
