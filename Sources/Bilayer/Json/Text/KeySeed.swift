/// A random seed for hashing keys from input. The hash covers every byte of a key and depends on two random numbers
/// that each process makes. So an attacker cannot choose keys that collide.
///
/// Two words at a time are multiplied, and the two halves of the 128-bit product are combined (wyhash, by Wang Yi).
struct KeySeed: Sendable {
    private let start: UInt64
    private let factor: UInt64

    /// The seed that all tables of the process use.
    static let process = KeySeed(using: SystemRandomNumberGenerator())

    init(using generator: some RandomNumberGenerator) {
        var generator = generator
        start = generator.next()
        factor = generator.next() | 1
    }

    /// Returns the hash of a whole text.
    func hash(_ text: JsonBytes) -> UInt64 {
        guard text.count <= 16 else { return hashWords(text, from: 0, to: text.count) }
        return hash(first: text.firstWord, last: text.secondWord(from: 0, length: text.count), length: text.count)
    }

    /// Returns the hash of a range of bytes, which must be inside the text.
    @inline(__always)
    func hash(_ bytes: JsonBytes, from offset: Int, count length: Int) -> UInt64 {
        if length > 16 { return hashWords(bytes, from: offset, to: offset &+ length) }
        guard offset &+ 8 <= bytes.count else { return hashPadded(bytes, from: offset, count: length) }
        return hash(
            first: unsafe bytes.word(unchecked: offset) & JsonBytes.mask(length: length),
            last: bytes.secondWord(from: offset, length: length),
            length: length
        )
    }

    /// Returns the hash of a key of at most 16 bytes, from two words. `first` has the first eight bytes, with zeros
    /// after the end of a shorter key. `last` is ``JsonBytes/secondWord(from:length:)``.
    @inline(__always)
    private func hash(first: UInt64, last: UInt64, length: Int) -> UInt64 {
        fold(state(length: length) ^ first, factor ^ last)
    }

    /// Returns the hash of a key of more than 16 bytes. The last step hashes the last 16 bytes, even if earlier steps
    /// have hashed some of them.
    @inline(__always)
    private func hashWords(_ bytes: JsonBytes, from start: Int, to end: Int) -> UInt64 {
        var state = state(length: end &- start)
        var position = start
        while position &+ 16 < end {
            state = unsafe fold(state ^ bytes.word(unchecked: position), factor ^ bytes.word(unchecked: position &+ 8))
            position &+= 16
        }
        return unsafe fold(state ^ bytes.word(unchecked: end &- 16), factor ^ bytes.word(unchecked: end &- 8))
    }

    /// Returns the hash of a short key near the end of a text, where no whole words can be read.
    @inline(never)
    private func hashPadded(_ bytes: JsonBytes, from offset: Int, count length: Int) -> UInt64 {
        let (first, last) = bytes.paddedWords(from: offset, count: length)
        return hash(first: first, last: last, length: length)
    }

    /// Returns the initial state. The length is multiplied by a random number, so no byte of a key can cancel the
    /// length.
    @inline(__always)
    private func state(length: Int) -> UInt64 { start &+ factor &* UInt64(truncatingIfNeeded: length) }

    @inline(__always)
    private func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }
}

extension JsonBytes {
    /// Returns at most 16 bytes as two words. `first` has the first eight bytes. `last` is the result of
    /// ``secondWord(from:length:)``.
    func paddedWords(from offset: Int, count length: Int) -> (first: UInt64, last: UInt64) {
        (0..<length)
            .reduce(into: (0, 0)) { words, index in
                let byte = UInt64(self[offset &+ index]) &<< UInt64(truncatingIfNeeded: 8 &* (index & 7))
                if index < 8 { words.0 |= byte } else { words.1 |= byte }
            }
    }
}
