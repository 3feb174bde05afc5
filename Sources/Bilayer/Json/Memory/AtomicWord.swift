import Synchronization

/// Atomic operations on a word of memory that several threads read and write.
///
/// **Bound.** The caller owns an initialized word at the address for as long as the word is used, and only uses it as
/// an atomic.
enum AtomicWord {
    /// Returns the word. It is at least as new as the calling thread's own last change. Nil on systems before macOS 15,
    /// iOS 18, tvOS 18, watchOS 11 and visionOS 2, which have no library for atomics.
    @inline(__always)
    static func load(_ address: UnsafeMutablePointer<UInt64>) -> UInt64? {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
        return unsafe address.withMemoryRebound(to: Atomic<UInt64>.self, capacity: 1) { word in
            unsafe word.pointee.load(ordering: .relaxed)
        }
    }

    /// Replaces the word. Does nothing on systems without atomics.
    @inline(__always)
    static func store(_ value: UInt64, to address: UnsafeMutablePointer<UInt64>) {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        unsafe address.withMemoryRebound(to: Atomic<UInt64>.self, capacity: 1) { word in
            unsafe word.pointee.store(value, ordering: .relaxed)
        }
    }

    /// Atomically replaces the word and returns its old value. On systems without atomics it changes nothing and
    /// returns nil. The exchange acquires and releases: a thread that gets the value of another exchange sees all
    /// writes that preceded that exchange.
    @inline(__always)
    static func exchange(_ value: UInt64, at address: UnsafeMutablePointer<UInt64>) -> UInt64? {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return nil }
        return unsafe address.withMemoryRebound(to: Atomic<UInt64>.self, capacity: 1) { word in
            unsafe word.pointee.exchange(value, ordering: .acquiringAndReleasing)
        }
    }

    #if canImport(Darwin)
    /// Adds to the word. Does nothing on systems without atomics.
    static func add(_ difference: UInt64, to address: UnsafeMutablePointer<UInt64>) {
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        unsafe address.withMemoryRebound(to: Atomic<UInt64>.self, capacity: 1) { word in
            unsafe _ = word.pointee.wrappingAdd(difference, ordering: .relaxed)
        }
    }
    #endif
}

#if canImport(Darwin)
/// A number that every thread may read and change: a count, or a measurement such as the size of the last text.
///
/// **Bound.** The word is made by `init` and freed with the counter.
@safe
// Sendable: the word is only used as an atomic.
struct AtomicCounter: ~Copyable, @unchecked Sendable {
    private let word: UnsafeMutablePointer<UInt64>

    /// Makes a counter with the value 0.
    init() {
        unsafe word = .allocate(capacity: 1)
        unsafe word.initialize(to: 0)
    }

    deinit { unsafe word.deallocate() }

    /// The number; nil on systems without atomics (``AtomicWord``).
    @inline(__always)
    var value: Int? { unsafe AtomicWord.load(word).map { Int(truncatingIfNeeded: $0) } }

    /// Replaces the number.
    func set(_ value: Int) { unsafe AtomicWord.store(UInt64(truncatingIfNeeded: value), to: word) }

    /// Adds to the number.
    func change(by difference: Int) { unsafe AtomicWord.add(UInt64(truncatingIfNeeded: difference), to: word) }
}
#else
/// A number that every thread may read and change: a count, or a measurement such as the size of the last text.
///
/// Here each system has atomics. A global counter needs no initialization at run time, which on Linux would take a call
/// for each use.
struct AtomicCounter: ~Copyable, Sendable {
    private let number = Atomic<Int>(0)

    /// The number. On other systems it may be nil.
    @inline(__always)
    var value: Int? { number.load(ordering: .relaxed) }

    /// Replaces the number.
    func set(_ value: Int) { number.store(value, ordering: .relaxed) }

    /// Adds to the number.
    func change(by difference: Int) { number.wrappingAdd(difference, ordering: .relaxed) }
}
#endif
