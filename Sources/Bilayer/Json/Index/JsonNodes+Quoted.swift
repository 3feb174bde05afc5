extension JsonNodes {
    /// Indexes the number inside a quoted string and calls the closure with that index. The number has position 0.
    /// - Returns: The result of the closure. Nil if the value is not a string, or its contents are not exactly one
    ///   number (RFC 8259 §6) without escapes.
    func withQuotedNumber<Result>(at position: Int, _ body: (JsonNodes) -> Result) -> Result? {
        guard tag(at: position) == .asciiString else { return nil }
        let range = range(at: position)
        guard !range.isEmpty, case let first = bytes[range.lowerBound],
            Ascii.isDigit(first) || first == Ascii.minus,
            let number = try? bytes.scanNumber(from: range.lowerBound), number.end == range.upperBound
        else { return nil }
        var word = IndexWord(number.tag, offset: range.lowerBound, length: range.count).bits
        return unsafe withUnsafeMutablePointer(to: &word) { word in
            // Bound: there is one word, and it outlives the call.
            body(unsafe JsonNodes(bytes: bytes, words: IndexWords(word, count: 1)))
        }
    }
}
