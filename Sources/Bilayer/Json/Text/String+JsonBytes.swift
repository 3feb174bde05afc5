extension String {
    /// Lends the text's UTF-8.
    ///
    /// **Bound.** The bytes live as long as `body` runs.
    @inline(__always)
    func withJsonBytes<Result>(_ body: (JsonBytes) -> Result) -> Result {
        // Not `withUTF8`: that wants a copy of the string, whose references are counted.
        let result = unsafe utf8.withContiguousStorageIfAvailable { unsafe body(JsonBytes(UnsafeRawBufferPointer($0))) }
        if let result { return result }
        var text = self
        return text.withUTF8 { unsafe body(JsonBytes(UnsafeRawBufferPointer($0))) }
    }

    /// Whether the UTF-8 is the same, unlike `==`, which takes canonically equivalent strings as equal.
    ///
    /// **Bound.** Both buffers are read while the texts lend them.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (text, other) = (self, other)
        return text.withUTF8 { bytes in
            other.withUTF8 { unsafe bytes.elementsEqual($0) }
        }
    }

    /// Hashes the text byte by byte: canonically equivalent texts are different ones.
    ///
    /// **Bound.** The hasher reads the buffer while the text lends it.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
