/// The finished words of an index. The code that receives the value frees them with ``freeBytes(_:)``.
@safe
struct BuiltIndex {
    let words: UnsafeMutablePointer<UInt64>
    /// The number of words.
    let count: Int
    /// Whether the text has no blanks before or between tokens. Then the text of each value is its own compact form.
    let isCompact: Bool
    /// Whether the containers of the text may be nested deeper than ``IndexBuilder/usualDepth``.
    let mayBeDeep: Bool

    /// The index of the text `null`.
    static var null: BuiltIndex {
        let words = unsafe allocateWords(1)
        unsafe words[0] = IndexWord(.null, offset: 0, length: 0).bits
        return unsafe BuiltIndex(words: words, count: 1, isCompact: true, mayBeDeep: false)
    }
}
