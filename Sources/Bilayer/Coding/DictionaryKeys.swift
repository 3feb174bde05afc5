/// Detects the coding keys that the standard library uses for the members of dictionaries.
enum DictionaryKeys {
    /// Whether a key type is the standard library's key type for dictionaries, which has no public name.
    static func areKeys(_ type: any CodingKey.Type) -> Bool {
        String(reflecting: type) == "Swift._DictionaryCodingKey"
    }

    /// Whether a key is the key of a dictionary, as this library's coders or the standard library make it.
    static func contain(_ key: any CodingKey) -> Bool {
        (key as? PathKey)?.isOfDictionary ?? areKeys(type(of: key))
    }
}
