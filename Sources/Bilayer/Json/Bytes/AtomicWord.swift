import Synchronization

/// A word that several threads read and write, where any of the values that were ever stored will do.
///
/// **Bound.** The address is that of one index word, which lives as long as the document, and is only ever used as an atomic.
enum AtomicWord {
    /// The word; 0 on systems older than the library that reads it.
    @inline(__always)
    static func load(_ address: UnsafeMutablePointer<UInt64>) -> UInt64 {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            return unsafe address.withMemoryRebound(to: Atomic<UInt64>.self, capacity: 1) { word in
                unsafe word.pointee.load(ordering: .relaxed)
            }
        }
        return 0
    }

    /// Writes the word; nothing happens on systems older than that library.
    @inline(__always)
    static func store(_ value: UInt64, to address: UnsafeMutablePointer<UInt64>) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            unsafe address.withMemoryRebound(to: Atomic<UInt64>.self, capacity: 1) { word in
                unsafe word.pointee.store(value, ordering: .relaxed)
            }
        }
    }
}
