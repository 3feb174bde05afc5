extension JsonNodes {
    /// Returns the hash of the key at a position, after escapes are resolved.
    @inline(__always)
    func seededHash(ofKeyAt position: Int, _ seed: KeySeed) -> UInt64 {
        let word = unsafe words[unchecked: position]
        if word.tag == .escapedString || word.shortLength == IndexWord.unknownLength {
            return unusualHash(ofKeyAt: position, seed)
        }
        return seed.hash(bytes, from: word.offset, count: word.shortLength)
    }

    @inline(never)
    private func unusualHash(ofKeyAt position: Int, _ seed: KeySeed) -> UInt64 {
        if tag(at: position) == .escapedString {
            return string(at: position).withJsonBytes { seed.hash($0, from: 0, count: $0.count) }
        }
        let range = range(at: position)
        return seed.hash(bytes, from: range.lowerBound, count: range.count)
    }
}
