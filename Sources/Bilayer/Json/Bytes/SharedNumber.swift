import Synchronization

/// A number of the whole process that every thread may read and change: a count, or an experience such as the size of the last text.
///
/// **Bound.** The word is allocated by `init`, never freed and only ever used as an atomic.
@safe
struct SharedNumber: @unchecked Sendable {
    // Sendable: the word is only read and written as an atomic.
    private let word: UnsafeMutablePointer<Int>

    /// Starts at 0.
    init() {
        unsafe word = .allocate(capacity: 1)
        unsafe word.initialize(to: 0)
    }

    /// The number, at least as new as the asking thread's own last change; nil on systems that cannot tell.
    @inline(__always)
    var value: Int? {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            return unsafe word.withMemoryRebound(to: Atomic<Int>.self, capacity: 1) { number in
                unsafe number.pointee.load(ordering: .relaxed)
            }
        }
        return nil
    }

    /// Replaces the number.
    func set(_ value: Int) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            unsafe word.withMemoryRebound(to: Atomic<Int>.self, capacity: 1) { number in
                unsafe number.pointee.store(value, ordering: .relaxed)
            }
        }
    }

    /// Adds to the number.
    func change(by difference: Int) {
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            unsafe word.withMemoryRebound(to: Atomic<Int>.self, capacity: 1) { number in
                unsafe _ = number.pointee.wrappingAdd(difference, ordering: .relaxed)
            }
        }
    }
}
