import Foundation

/// The bytes of a text, and the owner of their memory.
///
/// **Bound.** ``bytes`` is valid until ``release()``. Until then a `Data` is retained and not changed. `Data` is
/// copy-on-write, so no other reference can change or move its storage. A short `Data` stores its bytes inside the
/// value itself, so its bytes are copied.
@safe
struct TextStorage {
    let bytes: JsonBytes
    private let owner: Owner

    @safe
    private enum Owner {
        /// The retained text.
        case data(Data)
        /// A copy of the text, which ``release()`` frees.
        case block(UnsafeMutableRawPointer)
    }

    /// Retains a text. Only a short text is copied.
    @inline(__always)
    init(_ data: consuming Data) {
        if data.count < Self.shortestKept {
            self.init(copying: Array(data))
        } else {
            self.init(unsafe data.withUnsafeBytes { unsafe JsonBytes($0) }, owner: .data(data))
        }
    }

    /// Copies a text.
    init(copying text: some Collection<UInt8>) {
        let count = text.count
        let block = unsafe UnsafeMutableRawBufferPointer(start: allocateBytes(count), count: count)
        unsafe block.copyBytes(from: text)
        // Bound: `allocateBytes` never returns nil, whatever the count.
        unsafe self.init(
            JsonBytes(UnsafeRawBufferPointer(block)),
            owner: .block(block.baseAddress.unsafelyUnwrapped)
        )
    }

    private init(_ bytes: JsonBytes, owner: Owner) {
        self.bytes = bytes
        self.owner = owner
    }

    /// Frees the copy of the text, if there is one. A `Data` is released with this value instead. Afterwards the text
    /// must not be used.
    func release() {
        if case .block(let block) = owner { unsafe freeBytes(block) }
    }

    /// A `Data` of this size or larger stores its bytes outside the value on every platform. The value itself stores at
    /// most 14 bytes, or 6 where addresses have 32 bits.
    private static let shortestKept = 64
}
