import Synchronization

/// A count of the whole process that every thread may change and read.
///
/// **Bound.** The word is allocated by `init`, never freed and only ever used as an atomic.
@safe
struct SharedCount: @unchecked Sendable {
    // Sendable: the word is only read and written as an atomic.
    private let word: UnsafeMutablePointer<Int>

    /// Starts at 0.
    init() {
        unsafe word = .allocate(capacity: 1)
        unsafe word.initialize(to: 0)
    }

    /// Whether the count is surely 0 as far as the asking thread itself has changed it; false on systems that cannot tell.
    @inline(__always)
    var isZero: Bool {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            return unsafe word.withMemoryRebound(to: Atomic<Int>.self, capacity: 1) { count in
                unsafe count.pointee.load(ordering: .relaxed) == 0
            }
        }
        return false
    }

    /// Adds to the count.
    func change(by difference: Int) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            unsafe word.withMemoryRebound(to: Atomic<Int>.self, capacity: 1) { count in
                unsafe _ = count.pointee.wrappingAdd(difference, ordering: .relaxed)
            }
        }
    }
}
