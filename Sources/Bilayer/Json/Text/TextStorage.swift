import Foundation

/// The bytes of a text together with their owner.
///
/// **Bound.** ``bytes`` is valid until ``release()``. A `Data` is retained unchanged. It is copy-on-write, and this
/// reference is not released before, so its storage cannot be changed or moved. Short ones are stored inside the `Data`
/// value itself and are copied.
@safe
struct TextStorage {
    let bytes: JsonBytes
    private let owner: Owner

    @safe
    private enum Owner {
        case data(Data)
        case block(UnsafeMutableRawPointer)
    }

    /// Retains a text without copying it, unless it is short.
    init(_ data: Data) {
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

    /// Frees the memory. The text is not used after it.
    func release() {
        if case .block(let block) = owner { unsafe freeBytes(block) }
    }

    /// A `Data` of this size has its bytes on the heap on every platform (up to 14 or 22 fit inside the value).
    private static let shortestKept = 64
}
