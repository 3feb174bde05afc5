/// The bytes of one JSON text while they are read: a pointer that is only used by the few functions below.
///
/// **Bound.** The code that makes one promises `count` bytes at `base` for as long as the value is used. The owner is a
/// ``JsonDocument`` or the scope of a `withUnsafeBytes`. Every read names a position below `count`. A read past it is a
/// mistake in this folder. Debug builds trap on it, so every test is a bounds test. Release builds are fuzzed under the
/// address sanitizer.
@safe
// Sendable: the bytes are never written while a JsonBytes exists.
struct JsonBytes: @unchecked Sendable {
    private let base: UnsafePointer<UInt8>
    /// Length of the text.
    let count: Int

    /// A view of a buffer that outlives it.
    @inline(__always)
    @unsafe
    init(_ buffer: UnsafeRawBufferPointer) {
        if let start = buffer.baseAddress {
            unsafe base = start.assumingMemoryBound(to: UInt8.self)
        } else {
            unsafe base = Self.nothing
        }
        count = buffer.count
    }

    /// The byte at a position, which must be below ``count``.
    subscript(position: Int) -> UInt8 {
        precondition(position >= 0 && position < count, "JsonBytes: position out of range")
        return unsafe base[position]
    }

    /// The byte at a position below ``count``; release builds do not check the position.
    @inline(__always)
    @unsafe
    subscript(unchecked position: Int) -> UInt8 {
        assert(position >= 0 && position < count)
        return unsafe base[position]
    }

    /// Eight bytes from a position at least eight below ``count``; the first byte is the lowest.
    @inline(__always)
    func word(at position: Int) -> UInt64 {
        assert(position >= 0 && position &+ 8 <= count)
        return unsafe UInt64(
            littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self)
        )
    }

    /// Four bytes from a position at least four below ``count``; the first byte is the lowest.
    @inline(__always)
    func halfWord(at position: Int) -> UInt32 {
        assert(position >= 0 && position &+ 4 <= count)
        return unsafe UInt32(
            littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt32.self)
        )
    }

    /// Two bytes from a position at least two below ``count``; the first byte is the lowest.
    @inline(__always)
    func quarterWord(at position: Int) -> UInt16 {
        assert(position >= 0 && position &+ 2 <= count)
        return unsafe UInt16(
            littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt16.self)
        )
    }

    /// The bytes of a range inside the text, for as long as these bytes live.
    @inline(__always)
    @unsafe
    func buffer(from position: Int, count length: Int) -> UnsafeBufferPointer<UInt8> {
        assert(position >= 0 && length >= 0 && position &+ length <= count)
        return unsafe UnsafeBufferPointer(start: base + position, count: length)
    }

    /// The target of an empty text's pointer. Never read, because no position is below 0.
    private nonisolated(unsafe) static let nothing = unsafe UnsafePointer(
        UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    )
}

extension String {
    /// Calls the closure with the text's UTF-8.
    ///
    /// **Bound.** The bytes live as long as `body` runs.
    @inline(__always)
    func withJsonBytes<Result>(_ body: (JsonBytes) -> Result) -> Result {
        // Not `withUTF8`, which needs a copy of the string with counted references.
        let result = unsafe utf8.withContiguousStorageIfAvailable { unsafe body(JsonBytes(UnsafeRawBufferPointer($0))) }
        if let result { return result }
        var text = self
        return text.withUTF8 { unsafe body(JsonBytes(UnsafeRawBufferPointer($0))) }
    }

    /// Whether the UTF-8 bytes are equal. Unlike this, `==` compares by canonical equivalence.
    ///
    /// **Bound.** Both buffers are read only while the closures that provide them run.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (text, other) = (self, other)
        return text.withUTF8 { bytes in
            other.withUTF8 { unsafe bytes.elementsEqual($0) }
        }
    }

    /// Hashes the text byte by byte, so that canonically equivalent texts differ.
    ///
    /// **Bound.** The hasher reads the buffer only while the closure that provides it runs.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

// A key's bytes as words.

extension JsonBytes {
    /// The bits of the first word of a key that belong to the key.
    @inline(__always)
    static func mask(length: Int) -> UInt64 {
        length >= 8 ? .max : 1 &<< UInt64(truncatingIfNeeded: 8 &* length) &- 1
    }

    /// The bytes of a key after its first eight, zeros after the end; of a key of 16 bytes or more the last eight.
    @inline(__always)
    func secondWord(from start: Int, length: Int) -> UInt64 {
        guard length > 8 else { return 0 }
        let last = word(at: start &+ length &- 8)
        return length >= 16 ? last : last &>> UInt64(truncatingIfNeeded: 8 &* (16 &- length))
    }

    /// The first eight bytes, or all of less with zeros after them.
    @inline(__always)
    var firstWord: UInt64 {
        if count >= 8 { return word(at: 0) }
        if count >= 4 {
            // Two overlapping halves if there are fewer than eight bytes.
            let shift = UInt64(truncatingIfNeeded: 8 &* (count &- 4))
            return UInt64(halfWord(at: 0)) | UInt64(halfWord(at: count &- 4)) &<< shift
        }
        if count >= 2 {
            let shift = UInt64(truncatingIfNeeded: 8 &* (count &- 2))
            return UInt64(quarterWord(at: 0)) | UInt64(quarterWord(at: count &- 2)) &<< shift
        }
        return unsafe count == 1 ? UInt64(self[unchecked: 0]) : 0
    }
}
