/// Counts and makes the cases of enums without associated values: `CodingKeys` enums, and enums used as values.
enum CaseCount {
    /// Returns the number of cases of an enum without associated values; `nil` if it has more than 255. For an enum
    /// without cases, and for any other type of at most one byte, the result has no meaning.
    ///
    /// Such an enum is stored as the number of its case. An optional stores `nil` as the first number that no case has,
    /// which is the number of cases.
    static func count<Value>(of type: Value.Type) -> Int? {
        if MemoryLayout<Value>.size == 0 { return 1 }
        guard MemoryLayout<Value>.size == 1, MemoryLayout<Value?>.size == 1 else { return nil }
        // Bound: the optional is one byte.
        return unsafe withUnsafeBytes(of: Value?.none) { bytes in unsafe Int(bytes[0]) }
    }

    /// Returns the first or the last case of an enum with raw values; `nil` for a type of another kind, and for an enum
    /// with more than 255 cases.
    ///
    /// Swift numbers the cases with associated values first. If the case with number 0 has no associated value, no case
    /// has one.
    static func value<Value: RawRepresentable>(of type: Value.Type, isFirst: Bool) -> Value? {
        guard let count = count(of: type), count > 0, let first = value(of: type, number: 0), isCase(first) else {
            return nil
        }
        return isFirst ? first : value(of: type, number: UInt8(count - 1))
    }

    /// Returns the cases of an enum in the order of their declaration; `nil` for a type of another kind.
    ///
    /// Also returns `nil` for an enum with more than 255 cases, and for an enum with one case, because an enum without
    /// cases has the same layout.
    static func cases<Value>(of type: Value.Type) -> [Value]? {
        guard MemoryLayout<Value>.size == 1, let count = count(of: type), let first = value(of: type, number: 0),
            isCase(first)
        else { return nil }
        return (0..<count).compactMap { value(of: type, number: UInt8($0)) }
    }

    private static func isCase(_ value: Any) -> Bool {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .enum && mirror.children.isEmpty
    }

    private static func value<Value>(of type: Value.Type, number: UInt8) -> Value? {
        switch MemoryLayout<Value>.size {
        // Bound: both types have no bytes.
        case 0: unsafe unsafeBitCast((), to: type)
        // Bound: both types are one byte, and 0 to count - 1 are the numbers of cases.
        case 1: unsafe unsafeBitCast(number, to: type)
        default: nil
        }
    }
}
