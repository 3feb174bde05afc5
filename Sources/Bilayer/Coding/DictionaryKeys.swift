/// The keys with which the standard library reads and writes dictionaries, whatever the type of the keys in the code.
enum DictionaryKeys {
    /// Whether a key type is the standard library's, which has no public name.
    static func areKeys(_ type: any CodingKey.Type) -> Bool {
        String(reflecting: type) == "Swift._DictionaryCodingKey"
    }
}
