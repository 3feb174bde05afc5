/// A parsed text, open for reading: its bytes and its index, addressed by index position. The root is position 0.
///
/// This is what everything inside the module reads through: ``Json``'s accessors, the mapping helpers, the `Codable`
/// decoder. A value is a position; its sort is ``tag(at:)``. From a container's position, ``firstChild(of:)`` and
/// ``IndexWords/next(after:)`` walk its elements, or its keys and values in turn:
///
/// ```swift
/// var child = nodes.firstChild(of: position)
/// for _ in 0..<nodes.words.memberCount(at: position) {
///     let key = nodes.string(at: child)            // an object: a key, then its value
///     read(nodes, at: child + 1)
///     child = nodes.words.next(after: child + 1)
/// }
/// ```
///
/// `JsonNodes` is two pointers and two lengths: copying it costs nothing and keeps nothing alive. It is valid inside
/// ``JsonDocument/withNodes(_:)`` or while the document is otherwise held (`withExtendedLifetime`).
struct JsonNodes: Sendable {
    /// The text.
    let bytes: JsonBytes
    /// The index over it.
    let words: IndexWords

    /// The sort of the value at a position.
    @inline(__always)
    func tag(at position: Int) -> IndexWord.Tag { unsafe words[unchecked: position].tag }

    /// The position of the first element or key of a container. Valid only if it has one.
    @inline(__always)
    func firstChild(of position: Int) -> Int { words.firstChild(of: position) }

    /// What is read at a position, where a `null` is an answer too: nil within. Nil if `read` gives nil.
    @inline(__always)
    func orNull<Value>(at position: Int, _ read: (JsonNodes, Int) -> Value?) -> Value?? {
        tag(at: position) == .null ? .some(nil) : read(self, position).map(Optional.some)
    }

    /// The contents of a string, still escaped, or the text of any other value, as a range of byte offsets.
    @inline(__always)
    func range(at position: Int) -> Range<Int> {
        let word = unsafe words[unchecked: position]
        let length = word.shortLength == IndexWord.unknownLength ? fullLength(of: word) : word.shortLength
        return unsafe Range(uncheckedBounds: (word.offset, word.offset &+ length))
    }

    /// The length of a token too long for its index word. The text is known to be right, so only the end is looked for.
    @inline(never)
    func fullLength(of word: IndexWord) -> Int {
        let start = word.offset
        switch word.tag {
        case .array, .object:
            return unsafe (start == words[unchecked: 0].offset ? endOfRoot : endOfContainer(from: start)) &- start
        case .integer, .fraction, .exponent:
            var end = start
            while end < bytes.count, unsafe isNumberByte(bytes[unchecked: end]) { end &+= 1 }
            return end &- start
        default:
            return ((try? bytes.scanString(from: start))?.end ?? start) &- start
        }
    }

    private func isNumberByte(_ byte: UInt8) -> Bool {
        Ascii.isDigit(byte) || byte == Ascii.minus || byte == Ascii.plus || byte == Ascii.point
            || byte | 0x20 == Ascii.e
    }

    /// Only blanks follow the root, so a text of any size need not be read for its end.
    private var endOfRoot: Int {
        var end = bytes.count
        while end > 0, unsafe Ascii.isBlank(bytes[unchecked: end &- 1]) { end &-= 1 }
        return end
    }

    private func endOfContainer(from start: Int) -> Int {
        var depth = 0
        var position = start
        while position < bytes.count {
            switch unsafe bytes[unchecked: position] {
            case Ascii.openBrace, Ascii.openBracket: depth &+= 1
            case Ascii.closeBrace, Ascii.closeBracket: depth &-= 1
            case Ascii.quote:
                let contents = IndexWord(.escapedString, offset: position &+ 1, length: IndexWord.unknownLength)
                position &+= fullLength(of: contents) &+ 1
            default: break
            }
            position &+= 1
            if depth == 0 { break }
        }
        return position
    }
}
