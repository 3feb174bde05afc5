/// The finished index, for reading.
///
/// **Bound.** Positions are below ``count``. They come from the index itself (the root is 0, every other position is
/// reached by stepping over whole values), never from outside. Debug builds check each one.
@safe
// Sendable: after an index is built, only the words left for readers are written, and those are only used as atomics.
struct IndexWords: @unchecked Sendable {
    private let base: UnsafeMutablePointer<UInt64>
    /// Words in use.
    let count: Int

    /// A view of words that outlive it.
    @inline(__always)
    @unsafe
    init(_ base: UnsafeMutablePointer<UInt64>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    /// The entry at a position below ``count``; release builds do not check it.
    @inline(__always)
    @unsafe
    subscript(unchecked position: Int) -> IndexWord {
        assert(position >= 0 && position < count)
        return unsafe IndexWord(bits: base[position])
    }

    /// The position after the value at `position`, whatever it holds.
    @inline(__always)
    func next(after position: Int) -> Int {
        unsafe self[unchecked: position].tag.isContainer ? position &+ size(of: position) : position &+ 1
    }

    /// Words of the whole container at `position`, with all that is in it.
    @inline(__always)
    func size(of position: Int) -> Int {
        unsafe Int(truncatingIfNeeded: self[unchecked: position &+ 1].bits & 0xFFFF_FFFF)
    }

    /// Elements or members of the container at `position`.
    @inline(__always)
    func memberCount(at position: Int) -> Int {
        unsafe Int(truncatingIfNeeded: self[unchecked: position &+ 1].bits &>> 32)
    }

    /// The position of the first element or key of the container at `position`. Valid only if it has one.
    @inline(__always)
    func firstChild(of position: Int) -> Int { position &+ IndexWord.wordsOfContainer }

    /// What earlier readers have left about the container at `position`.
    @inline(__always)
    func hint(of position: Int) -> UInt64 {
        unsafe assert(self[unchecked: position].tag.isContainer)
        return unsafe AtomicWord.load(base + (position &+ 2)) ?? 0
    }

    /// Leaves something for the next reader of the container at `position`.
    @inline(__always)
    func setHint(_ hint: UInt64, of position: Int) {
        unsafe assert(self[unchecked: position].tag.isContainer)
        unsafe AtomicWord.store(hint, to: base + (position &+ 2))
    }
}
