/// A key that may be reported or refused once its path is known.
protocol CheckedKey: CodingKeyRepresentable {
    func check(at path: @autoclosure () -> JsonPath) throws
    /// Whether the check would report or refuse anything.
    var isNotable: Bool { get }
}

/// A dictionary with such keys. The decoder checks them wherever it makes one; Foundation's does not know of them, and
/// so only those that are an entry's own properties are checked there.
protocol CheckedKeyDictionary {
    func checkKeys(at path: @autoclosure () -> JsonPath) throws
}

extension Dictionary: CheckedKeyDictionary where Key: CheckedKey {
    /// Reports keys that are not known; each key's own path leads to its member.
    func checkKeys(at path: @autoclosure () -> JsonPath) throws {
        let notable = keys.filter(\.isNotable)
        if notable.isEmpty { return }
        let path = path()
        // Sorted: a dictionary has no order, a report must have one.
        for (name, key) in notable.map({ ($0.codingKey.stringValue, $0) }).sorted(by: { $0.0 < $1.0 }) {
            try key.check(at: path.appending(.entry(name)))
        }
    }
}
