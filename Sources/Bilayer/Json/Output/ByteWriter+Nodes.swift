import Foundation

extension ByteWriter {
    /// Copies a JSON text without indexing it.
    ///
    /// **Bound.** The data owns its bytes while they are copied.
    mutating func write(json text: Data) {
        unsafe text.withUnsafeBytes { unsafe write(JsonBytes($0), from: 0, count: $0.count) }
    }

    /// Returns whether the JSON that was written from an offset on nests arrays and objects no deeper than a limit.
    func isNested(atMost limit: Int, from start: Int) -> Bool {
        // Each level has two brackets.
        if (count &- start) / 2 <= limit { return true }
        var depth = 0
        var isInString = false
        var position = start
        while position < count {
            // Bound: position < count.
            switch unsafe base[position] {
            case Ascii.quote: isInString.toggle()
            case Ascii.backslash: position &+= 1
            case Ascii.openBracket, Ascii.openBrace:
                if !isInString { depth &+= 1 }
                if depth > limit { return false }
            case Ascii.closeBracket, Ascii.closeBrace: if !isInString { depth &-= 1 }
            default: break
            }
            position &+= 1
        }
        return true
    }

    /// Writes the value at a position in compact form. Each token keeps its received spelling.
    /// - Parameters:
    ///   - nodes: The text.
    ///   - position: The value's index position.
    ///   - isCompact: Whether the text has no blanks.
    mutating func write(_ nodes: JsonNodes, at position: Int, isCompact: Bool) {
        if isCompact || !nodes.tag(at: position).isContainer {
            writeToken(nodes, at: position)
        } else {
            writeContainer(nodes, at: position)
        }
    }

    /// Copies the text of a value, with its contents.
    @inline(__always)
    private mutating func writeToken(_ nodes: JsonNodes, at position: Int) {
        let range = nodes.range(at: position)
        // The range of a string excludes its quotes, which are the bytes before and after the range.
        let quote = nodes.tag(at: position).isString ? 1 : 0
        write(nodes.bytes, from: range.lowerBound &- quote, count: range.count &+ 2 &* quote)
    }

    /// Writes a container. Visits each key and value once. `left` is the number of keys and values that are still to be
    /// written in the innermost open container. For each enclosing container, `outer` stores that number times two,
    /// plus one for an object.
    private mutating func writeContainer(_ nodes: JsonNodes, at start: Int) {
        var outer: [Int] = []
        var left = 0
        var isObject = false
        var position = start
        while true {
            let tag = nodes.tag(at: position)
            if tag.isContainer {
                outer.append(left &* 2 &+ (isObject ? 1 : 0))
                isObject = tag == .object
                left = nodes.words.memberCount(at: position) &* (isObject ? 2 : 1)
                write(byte: isObject ? Ascii.openBrace : Ascii.openBracket)
                position = nodes.firstChild(of: position)
                if left > 0 { continue }
                left = 1
            } else {
                writeToken(nodes, at: position)
                position &+= 1
            }
            left &-= 1
            while left == 0 {
                write(byte: isObject ? Ascii.closeBrace : Ascii.closeBracket)
                guard let level = outer.popLast(), !outer.isEmpty else { return }
                left = level &>> 1 &- 1
                isObject = level & 1 != 0
            }
            // After a key, the number of remaining keys and values in its object is odd.
            write(byte: isObject && left & 1 != 0 ? Ascii.colon : Ascii.comma)
        }
    }
}
