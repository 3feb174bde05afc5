/// A number of the whole process that every thread may read and change: a count, or an experience such as the size of
/// the last text.
///
/// **Bound.** The word is made by `init` and never freed.
@safe
// Sendable: the word is only used as an atomic.
struct AtomicCounter: @unchecked Sendable {
    private let word: UnsafeMutablePointer<UInt64>

    /// Starts at 0.
    init() {
        unsafe word = .allocate(capacity: 1)
        unsafe word.initialize(to: 0)
    }

    /// The number; nil on systems that cannot tell (``AtomicWord``).
    @inline(__always)
    var value: Int? { unsafe AtomicWord.load(word).map { Int(truncatingIfNeeded: $0) } }

    /// Replaces the number.
    func set(_ value: Int) { unsafe AtomicWord.store(UInt64(truncatingIfNeeded: value), to: word) }

    /// Adds to the number.
    func change(by difference: Int) { unsafe AtomicWord.add(UInt64(truncatingIfNeeded: difference), to: word) }
}
