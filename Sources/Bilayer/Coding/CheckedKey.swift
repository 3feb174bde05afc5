/// A dictionary key that is checked as soon as its path is known. The check may report or refuse the key.
protocol CheckedKey: CodingKeyRepresentable {
    /// Reports the key if it is unknown, or refuses it by an error.
    func check(at path: @autoclosure () -> JsonPath) throws
    /// Whether the check would report or refuse anything.
    var needsReport: Bool { get }
}

/// A dictionary whose keys are checked. This library's decoder checks the keys of every dictionary that it makes. With
/// any other decoder, such as Foundation's, only dictionaries that are properties of a type are checked. The
/// dictionaries in an array, for example, are not.
protocol CheckedKeyDictionary {
    /// Checks all keys of the dictionary at this path.
    func checkKeys(at path: @autoclosure () -> JsonPath) throws
}

extension Dictionary: CheckedKeyDictionary where Key: CheckedKey {
    /// Reports or refuses unknown keys, each under the path of its member.
    func checkKeys(at path: @autoclosure () -> JsonPath) throws {
        let reported = keys.filter(\.needsReport)
        if reported.isEmpty { return }
        let path = path()
        // The keys are sorted, because a dictionary is unordered and a report must be deterministic.
        for (name, key) in reported.map({ ($0.codingKey.stringValue, $0) }).sorted(by: { $0.0 < $1.0 }) {
            try key.check(at: path.appending(.entry(name)))
        }
    }
}

extension CodingKeyRepresentable {
    /// Makes a key of a dictionary from a member's name, and checks it if it is a ``CheckedKey``.
    static func read(_ name: String, at path: @autoclosure () -> JsonPath) throws -> Self {
        guard let key = Self(codingKey: PathKey(ofDictionary: name)) else {
            throw MappingError(.invalidKey(of: typeName(Self.self), at: path()))
        }
        if Self.self != String.self { try (key as? any CheckedKey)?.check(at: path()) }
        return key
    }
}
