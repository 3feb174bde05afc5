import Foundation

/// The bytes of a text together with what keeps them in memory.
///
/// **Bound.** ``bytes`` is valid until ``release()``. A `Data` is kept as it came: it is copy-on-write, and as this
/// reference is not let go before, its storage cannot be changed or moved. Short ones live inside the `Data` value
/// itself and are copied.
@safe
struct TextStorage {
    let bytes: JsonBytes
    private let owner: Owner

    @safe
    private enum Owner {
        case data(Data)
        case block(UnsafeMutableRawPointer)
    }

    /// Keeps a text without copying it, unless it is short.
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
        // Bound: `allocateBytes` never gives nil, whatever the count.
        unsafe self.init(
            JsonBytes(UnsafeRawBufferPointer(block)),
            owner: .block(block.baseAddress.unsafelyUnwrapped)
        )
    }

    private init(_ bytes: JsonBytes, owner: Owner) {
        self.bytes = bytes
        self.owner = owner
    }

    /// Gives the memory back. The text is not used after it.
    func release() {
        if case .block(let block) = owner { unsafe freeBytes(block) }
    }

    /// A `Data` of this size has its bytes on the heap on every platform (up to 14 or 22 fit inside the value).
    private static let shortestKept = 64
}
