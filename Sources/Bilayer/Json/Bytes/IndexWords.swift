/// The finished index while somebody reads it.
///
/// **Bound.** Positions are below ``count``. They come from the index itself (the root is 0, every other position is reached
/// by stepping over whole values), never from outside. Debug builds check each one.
@safe
struct IndexWords: @unchecked Sendable {
    // Sendable: an index is never written after it is built.
    private let base: UnsafePointer<UInt64>
    /// Words in use.
    let count: Int

    /// A view of words that outlive it.
    @inline(__always)
    @unsafe
    init(_ base: UnsafePointer<UInt64>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// The entry at a position.
    @inline(__always)
    subscript(position: Int) -> IndexWord {
        assert(position >= 0 && position < count)
        return unsafe IndexWord(bits: base[position])
    }

    /// The position after the value at `position`, whatever it holds.
    @inline(__always)
    func next(after position: Int) -> Int {
        self[position].tag.isContainer
            ? position &+ Int(truncatingIfNeeded: self[position &+ 1].bits & 0xFFFF_FFFF) : position &+ 1
    }

    /// Elements or members of the container at `position`.
    @inline(__always)
    func memberCount(at position: Int) -> Int {
        Int(truncatingIfNeeded: self[position &+ 1].bits &>> 32)
    }
}
