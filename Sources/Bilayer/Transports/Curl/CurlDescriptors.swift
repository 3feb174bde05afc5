#if os(Linux)
/// A set of descriptors, as the system's `fd_set`: 1,024 bits.
struct CurlDescriptors {
    static let wordCount = 1_024 / UInt.bitWidth

    /// The bits; `nil` means unknown.
    let words: [UInt]?

    /// Whether the set has a descriptor.
    /// - Returns: `nil` means unknown. The set has no place for descriptors of 1,024 and above.
    func contains(_ descriptor: Int32) -> Bool? {
        let (index, bit) = Int(descriptor).quotientAndRemainder(dividingBy: UInt.bitWidth)
        guard let words, descriptor >= 0, words.indices.contains(index) else { return nil }
        return words[index] >> UInt(bit) & 1 == 1
    }
}
#endif
