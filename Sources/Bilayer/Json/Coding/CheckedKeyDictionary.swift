/// A dictionary with such keys. The decoder checks them wherever it makes one; Foundation's does not know of them, and so only those that
/// are an entry's own properties are checked there.
protocol CheckedKeyDictionary {
    func checkKeys(at path: @autoclosure () -> JsonPath) throws
}
