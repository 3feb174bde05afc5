// Look-up under a strategy that converts keys. With a naming, look-up compares the bytes of the converted keys. It
// compares names in two cases: if the object has a member under a property's own name or an alternative name, and if
// two properties of the type have the same JSON key. With snake case, look-up compares the numbers of the converted
// names (``KeyConversionCache``).

extension KeyedReader {
    /// Selects look-up by the naming's keys, if this look-up is correct for the type and the object.
    /// - Returns: Whether it was selected. If not, the reader has not changed.
    func lookUpByNaming() -> Bool {
        guard context.namingNumber != 0, let keys = unsafe state.pointee.cache?.convertedKeys() else { return false }
        unsafe keys.pointee.named.use(context.namingNumber)
        if unsafe !canLookUpByNaming(for: keys) { return false }
        unsafe useTable(of: keys)
        return true
    }

    /// Returns the index position of a key's value, or -1. This function is called if the key was not found at the
    /// cursor.
    func findByNaming<Key: CodingKey>(_ key: Key) -> Int {
        guard let keys = unsafe state.pointee.cache?.convertedKeys(),
            case .naming(let naming) = context.settings.keys
        else { return find(named: key.stringValue) }
        let number = KeyTable.number(of: key)
        if unsafe !keys.pointee.named.isKnown(number) {
            let name = key.stringValue
            unsafe keys.pointee.named.add(number, name: name, by: naming)
            if unsafe !canLookUpByNaming(for: keys) {
                return unsafe lookUpByName(repeating: keys.pointee.named.names(in: state.pointee.requested), then: name)
            }
            unsafe useTable(of: keys)
        }
        let entry = unsafe keys.pointee.named.table.entry(number, for: key)
        if unsafe entry.matches(nodes, at: state.pointee.last) { return unsafe state.pointee.last &+ 1 }
        return unsafe find(entry, number)
    }

    /// Bound: the keys are freed with their cache, which outlives the session's containers.
    @unsafe
    private func useTable(of keys: UnsafeMutablePointer<DecodingKeyTable>) {
        unsafe use(keys.pointer(to: \.named.table))
    }

    /// Continues with look-up by name in this object, as if all earlier look-ups had been by name.
    private func lookUpByName(repeating names: [String], then name: String) -> Int {
        unsafe use(nil)
        let members = makeNames()
        for name in names { _ = members.position(of: name) }
        unsafe state.pointee.names = members
        return members.position(of: name)
    }

    /// Whether look-up by the naming's keys alone is correct for the type and the object.
    ///
    /// Bound: the keys belong to this container's key type. The cache of that key type outlives the container.
    @unsafe
    private func canLookUpByNaming(for keys: UnsafeMutablePointer<DecodingKeyTable>) -> Bool {
        if unsafe keys.pointee.named.hasClash { return false }
        let nodes = nodes
        return unsafe !keys.pointee.named.isNamed(in: nodes, from: nodes.firstChild(of: object), to: state.pointee.end)
    }

    /// Returns the position of a key's value, or -1. Compares the names to which the object's keys are converted.
    /// Stores the JSON key that was found, so that the next look-up compares bytes.
    func findBySnakeCase<Key: CodingKey>(
        _ key: Key,
        _ table: UnsafeMutablePointer<KeyTable>,
        _ conversions: UnsafeMutablePointer<KeyConversionCache>
    ) -> Int {
        let number = KeyTable.number(of: key)
        guard let name = unsafe state.pointee.cache?.convertedKeys()?.pointee.name(number, of: key, in: conversions)
        else {
            return find(named: key.stringValue)
        }
        let entry = unsafe table.pointee.entry(number)
        if unsafe entry.matches(nodes, at: state.pointee.last) { return unsafe state.pointee.last &+ 1 }
        let nodes = nodes
        let nameBit = DecodingKeyTable.bit(ofName: name)
        let position = search(
            for: number,
            bit: nameBit,
            isKey: { position in unsafe conversions.pointee.number(of: nodes, at: position) == name },
            bitsOfKey: { position in
                let other = unsafe conversions.pointee.number(of: nodes, at: position)
                return other < 0 ? .max : DecodingKeyTable.bit(ofName: other)
            }
        )
        if unsafe position >= 0 && entry.pointee.length < 0 {
            unsafe table.pointee.setJSONKey(number, nodes.string(at: position &- 1), filterBit: nameBit)
            unsafe use(table)
        }
        return position
    }
}
