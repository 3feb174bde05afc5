/// A coding key of this library that no code declares: its name or index comes from the data. The type of the key shows
/// this, so no reflection is needed.
protocol UndeclaredKey: CodingKey {}

/// Detects the coding keys that the standard library uses for the members of dictionaries.
enum DictionaryKeys {
    /// Whether a key type is the standard library's key type for dictionaries, which has no public name.
    static func areKeys(_ type: any CodingKey.Type) -> Bool {
        String(reflecting: type) == "Swift._DictionaryCodingKey"
    }

    /// Whether a key that no code declares is data, as the key of a dictionary is. This library's coders and the
    /// standard library have key types for such keys.
    static func contain(_ key: any CodingKey) -> Bool { key is any UndeclaredKey || areKeys(type(of: key)) }
}
