import Foundation

/// A growing buffer for JSON tokens. It can be turned into `Data` without a copy.
///
/// **Bound.** `base` has capacity for `capacity` bytes, and the first `count` bytes are written. Before it writes,
/// every function reserves the maximum number of bytes that it can write (``reserve(_:)``), or its caller does.
@safe
struct ByteWriter: ~Copyable {
    private(set) var base: UnsafeMutablePointer<UInt8>
    /// The number of bytes written so far.
    var count = 0
    /// The number of bytes that the buffer can hold.
    private(set) var capacity: Int

    /// Makes an empty buffer.
    /// - Parameter capacity: The number of bytes to reserve.
    init(capacity: Int = 1024) {
        self.capacity = max(capacity, 64)
        unsafe base = allocateBytes(self.capacity).assumingMemoryBound(to: UInt8.self)
    }

    deinit { unsafe freeBytes(base) }

    /// Returns the bytes as `Data`, which takes ownership of the memory.
    consuming func finish() -> Data {
        let isLoose = capacity &- count > count / 2 &+ 64
        let block = unsafe isLoose ? resizeBytes(base, to: count) : UnsafeMutableRawPointer(base)
        let data = unsafe Data(bytesNoCopy: block, count: count, deallocator: .free)
        discard self
        return data
    }

    /// Returns the bytes as `Data` and empties the writer. The bytes of a small buffer are copied, and its memory is
    /// reused for the next text.
    mutating func takeText() -> Data {
        if capacity <= Self.longestKept {
            defer { count = 0 }
            return unsafe Data(bytes: base, count: count)
        }
        var whole = ByteWriter(capacity: 0)
        swap(&self, &whole)
        return whole.finish()
    }

    /// Empties the writer. If the buffer is large, it is freed.
    mutating func clear() {
        count = 0
        if capacity <= Self.longestKept { return }
        unsafe freeBytes(base)
        capacity = 64
        unsafe base = allocateBytes(capacity).assumingMemoryBound(to: UInt8.self)
    }

    /// The last byte; nil if the writer is empty.
    var last: UInt8? { unsafe count > 0 ? base[count &- 1] : nil }

    /// The maximum capacity that a reused writer keeps.
    private static var longestKept: Int { 4096 }

    /// Reserves capacity for `more` bytes after ``count``.
    @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity &- count < more { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        capacity = max(capacity &* 2, count &+ more &+ 64)
        unsafe base = resizeBytes(base, to: capacity).assumingMemoryBound(to: UInt8.self)
    }

    /// Writes one byte.
    @inline(__always)
    mutating func write(byte: UInt8) {
        reserve(1)
        unsafe base[count] = byte
        count &+= 1
    }

    /// Writes a range of bytes of a text unchanged.
    @inline(__always)
    mutating func write(_ bytes: JsonBytes, from start: Int, count length: Int) {
        // Most tokens are short. Where 32 bytes can be read and written, always copying 32 bytes is faster than copying
        // `length` bytes.
        if length <= 32, start &+ 32 <= bytes.count, capacity &- count >= 32 {
            let target = UnsafeMutableRawPointer(unsafe base + count)
            let words = unsafe (
                bytes.word(unchecked: start).littleEndian, bytes.word(unchecked: start &+ 8).littleEndian,
                bytes.word(unchecked: start &+ 16).littleEndian, bytes.word(unchecked: start &+ 24).littleEndian
            )
            unsafe target.storeBytes(of: words, as: (UInt64, UInt64, UInt64, UInt64).self)
            count &+= length
            return
        }
        reserve(length)
        // Bound: the buffer lies inside the text, whose base is never nil.
        unsafe (base + count)
            .update(from: bytes.buffer(from: start, count: length).baseAddress.unsafelyUnwrapped, count: length)
        count &+= length
    }

    /// Writes an ASCII text unchanged.
    @inline(__always)
    mutating func write(literal: StaticString) {
        let length = literal.utf8CodeUnitCount
        reserve(length)
        unsafe (base + count).update(from: literal.utf8Start, count: length)
        count &+= length
    }

    /// Writes an ASCII text without quotes and escapes.
    mutating func write(ascii text: String) {
        var text = text
        text.withUTF8 { utf8 in unsafe write(JsonBytes(UnsafeRawBufferPointer(utf8)), from: 0, count: utf8.count) }
    }

    /// Writes `true` or `false`.
    mutating func write(_ value: Bool) {
        reserve(Self.capacityForBool)
        put(value)
    }

    /// Writes `true` or `false`. The caller has reserved ``capacityForBool``.
    @inline(__always)
    mutating func put(_ value: Bool) {
        store(value ? Self.trueWord : Self.falseWord, at: count)
        count &+= value ? 4 : 5
    }

    /// The capacity to reserve for a Boolean value: the eight bytes of one store.
    static var capacityForBool: Int { 8 }

    private static var trueWord: UInt64 { 0x6575_7274 }
    private static var falseWord: UInt64 { 0x65_736C_6166 }
}

extension ByteWriter {
    /// Returns the output of a closure as a string.
    static func text(_ write: (inout ByteWriter) -> Void) -> String {
        var writer = ByteWriter(capacity: 64)
        write(&writer)
        return unsafe makeString(UnsafeBufferPointer(start: writer.base, count: writer.count), isASCII: false)
    }
}
