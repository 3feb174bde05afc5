/// A set of types that use the default `from(raw:)` or `toRaw()` of `Codable` entries. The elements of an array of such
/// a type can be read in one ``DecodingSession``, or written in one ``EncodingSession``.
///
/// A type is recorded when the default implementation reads or writes a value of the type. This never happens for a
/// type with an implementation of its own. An array maps its first element with `from(raw:)` or `toRaw()`, and then
/// looks the type up here. So all elements are mapped like the first element.
///
/// The set is a hash table without a lock. The address of a type determines its slot. The first type in a slot keeps
/// the slot. If a second type has the same slot, arrays of the second type are mapped element by element.
///
/// **Bound.** There are `count` slots, made once and never freed. Types are compared by their addresses, which are
/// never dereferenced.
@safe
@usableFromInline
// Sendable: the slots are only used as atomics.
struct DefaultConformanceTypes: @unchecked Sendable {
    /// The types that use the default `from(raw:)`.
    static let decoded = DefaultConformanceTypes()
    /// The types that use the default `toRaw()`.
    static let encoded = DefaultConformanceTypes()

    private static let bits = 8
    private static let count = 1 << bits
    private let slots: UnsafeMutablePointer<UInt64>

    private init() {
        unsafe slots = .allocate(capacity: Self.count)
        unsafe slots.initialize(repeating: 0, count: Self.count)
    }

    /// Adds a type whose values are read or written by the default conformance.
    @inline(__always)
    func insert(_ type: Any.Type) {
        let slot = unsafe slots + Self.index(of: Self.address(of: type))
        if unsafe AtomicWord.load(slot) == 0 { unsafe AtomicWord.store(Self.address(of: type), to: slot) }
    }

    /// Whether a type is known to use the default `from(raw:)`.
    @usableFromInline
    static func usesDefaultReading<Value>(_ type: Value.Type) -> Bool { decoded.contains(type) }

    /// Whether a type is recorded.
    @inline(__always)
    func contains(_ type: Any.Type) -> Bool {
        let address = Self.address(of: type)
        return unsafe AtomicWord.load(slots + Self.index(of: address)) == address
    }

    @inline(__always)
    private static func address(of type: Any.Type) -> UInt64 {
        // Bound: `Any.Type` is one pointer.
        UInt64(UInt(bitPattern: unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)))
    }

    @inline(__always)
    private static func index(of address: UInt64) -> Int {
        Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(64 - bits))
    }
}
