/// Counts the cases of the enums that `Codable` types have for their keys.
enum CaseCount {
    /// The number of cases of an enum without associated values; nil if it has more than 255. For another type of one
    /// byte the number says nothing.
    ///
    /// Such an enum is stored as the number of its case, and nil as the first number that no case has.
    static func count<Value>(of type: Value.Type) -> Int? {
        if MemoryLayout<Value>.size == 0 { return 1 }
        guard MemoryLayout<Value>.size == 1, MemoryLayout<Value?>.size == 1 else { return nil }
        // Bound: the optional is one byte.
        return unsafe withUnsafeBytes(of: Value?.none) { bytes in unsafe Int(bytes[0]) }
    }
}
