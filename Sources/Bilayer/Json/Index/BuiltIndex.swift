/// The finished words of an index. The owner frees them with ``freeBytes(_:)``.
@safe
struct BuiltIndex {
    let words: UnsafeMutablePointer<UInt64>
    /// Words in use.
    let count: Int
    /// Whether no blank separates two tokens. Then the text is its own compact form.
    let isCompact: Bool
    /// Whether the text may have more containers inside each other than ``IndexBuilder/usualDepth``.
    let isDeep: Bool

    /// The index of the text `null`.
    static var null: BuiltIndex {
        let words = unsafe allocateWords(1)
        unsafe words[0] = IndexWord(.null, offset: 0, length: 0).bits
        return unsafe BuiltIndex(words: words, count: 1, isCompact: true, isDeep: false)
    }
}
