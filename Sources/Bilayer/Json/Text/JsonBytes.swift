/// The bytes of a JSON text while it is read: a pointer that only the few functions below use.
///
/// **Bound.** The code that makes a value guarantees `count` bytes at `base` for as long as the value is used. The
/// owner of the bytes is a ``JsonDocument`` or a scope such as that of `withUnsafeBytes`. Every read is at a position
/// below `count`. A read beyond `count` is a defect of this module, whatever the input. Debug builds trap on such a
/// read, so every test also tests the bounds. Release builds are fuzzed under the address sanitizer.
@safe
// Sendable: the bytes are never written while a JsonBytes exists.
struct JsonBytes: @unchecked Sendable {
    private let base: UnsafePointer<UInt8>
    /// The length of the text in bytes.
    let count: Int

    /// Makes a view of a buffer. The buffer must outlive the view.
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

    /// The byte at a position, which must be below ``count``. Release builds do not check the position.
    @inline(__always)
    @unsafe
    subscript(unchecked position: Int) -> UInt8 {
        assert(position >= 0 && position < count)
        return unsafe base[position]
    }

    /// Returns eight bytes as a word. The position of the last byte must be below ``count``, which release builds do
    /// not check. The first byte is the lowest.
    @inline(__always)
    @unsafe
    func word(unchecked position: Int) -> UInt64 {
        assert(position >= 0 && position &+ 8 <= count)
        return unsafe UInt64(
            littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self)
        )
    }

    /// Returns four bytes as a word. The position of the last byte must be below ``count``, which release builds do
    /// not check. The first byte is the lowest.
    @inline(__always)
    @unsafe
    func halfWord(unchecked position: Int) -> UInt32 {
        assert(position >= 0 && position &+ 4 <= count)
        return unsafe UInt32(
            littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt32.self)
        )
    }

    /// Returns two bytes as a word. The position of the last byte must be below ``count``, which release builds do
    /// not check. The first byte is the lowest.
    @inline(__always)
    @unsafe
    func quarterWord(unchecked position: Int) -> UInt16 {
        assert(position >= 0 && position &+ 2 <= count)
        return unsafe UInt16(
            littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt16.self)
        )
    }

    /// Returns a buffer of a range inside the text. It is valid as long as the bytes are.
    @inline(__always)
    @unsafe
    func buffer(from position: Int, count length: Int) -> UnsafeBufferPointer<UInt8> {
        assert(position >= 0 && length >= 0 && position &+ length <= count)
        return unsafe UnsafeBufferPointer(start: base + position, count: length)
    }

    /// The address of an empty text. It is never read, because an empty text has no positions.
    private nonisolated(unsafe) static let nothing = unsafe UnsafePointer(
        UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    )
}

extension String {
    /// Calls the closure with the text's UTF-8.
    ///
    /// **Bound.** The bytes are valid during the call of `body`.
    @inline(__always)
    func withJsonBytes<Result>(_ body: (JsonBytes) -> Result) -> Result {
        // `withUTF8` is only the fallback. It needs a mutable copy of the string, and the copy is retained and
        // released.
        let result = unsafe utf8.withContiguousStorageIfAvailable { unsafe body(JsonBytes(UnsafeRawBufferPointer($0))) }
        if let result { return result }
        var text = self
        return text.withUTF8 { unsafe body(JsonBytes(UnsafeRawBufferPointer($0))) }
    }

    /// Whether the UTF-8 bytes of two strings are equal. In contrast, `==` compares by canonical equivalence.
    ///
    /// **Bound.** Both buffers are read only while the closures that provide them run.
    func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var (text, other) = (self, other)
        return text.withUTF8 { bytes in
            other.withUTF8 { unsafe bytes.elementsEqual($0) }
        }
    }

    /// Hashes the text byte by byte. Texts that are only canonically equivalent have different bytes, and are hashed as
    /// different texts.
    ///
    /// **Bound.** The hasher reads the buffer only while the closure that provides it runs.
    func hashBytes(into hasher: inout Hasher) {
        var text = self
        text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

// A key's bytes as words.

extension JsonBytes {
    /// Returns a mask for the first word of a key of `length` bytes. The mask has the bits that belong to the key.
    @inline(__always)
    static func mask(length: Int) -> UInt64 {
        length >= 8 ? .max : 1 &<< UInt64(truncatingIfNeeded: 8 &* length) &- 1
    }

    /// Returns as a word the bytes of a key after the first eight, with zeros after the end. For a key of 16 bytes or
    /// more, returns the last eight bytes.
    @inline(__always)
    func secondWord(from start: Int, length: Int) -> UInt64 {
        guard length > 8 else { return 0 }
        let last = unsafe word(unchecked: start &+ length &- 8)
        return length >= 16 ? last : last &>> UInt64(truncatingIfNeeded: 8 &* (16 &- length))
    }

    /// The first eight bytes as a word; in a shorter text, all bytes with zeros after the end.
    @inline(__always)
    var firstWord: UInt64 {
        if count >= 8 { return unsafe word(unchecked: 0) }
        if count >= 4 {
            // For fewer than eight bytes, two overlapping halves are joined.
            let shift = UInt64(truncatingIfNeeded: 8 &* (count &- 4))
            return unsafe UInt64(halfWord(unchecked: 0)) | UInt64(halfWord(unchecked: count &- 4)) &<< shift
        }
        if count >= 2 {
            let shift = UInt64(truncatingIfNeeded: 8 &* (count &- 2))
            return unsafe UInt64(quarterWord(unchecked: 0)) | UInt64(quarterWord(unchecked: count &- 2)) &<< shift
        }
        return unsafe count == 1 ? UInt64(self[unchecked: 0]) : 0
    }
}
