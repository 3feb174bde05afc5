/// The types that use the default `from(raw:)` of `Codable` entries. Elements of such a type can be read in one
/// session.
///
/// A type is recorded when the default `from(raw:)` reads a value of it, which never happens for a type with its own.
/// An array reads its first element with `from(raw:)` and then looks the type up here. So all elements are read like
/// the first one.
///
/// The first type of a slot occupies it, without a lock. A type without a slot is read element by element.
///
/// **Bound.** There are `count` slots, made once and never freed. Types are compared by their addresses, which are
/// never dereferenced.
@safe
// Sendable: the slots are only used as atomics.
struct DefaultConformanceTypes: @unchecked Sendable {
    static let known = DefaultConformanceTypes()
    /// The types that use the default `toRaw()` of `Codable` entries.
    static let written = DefaultConformanceTypes()

    private static let count = 256
    private let slots: UnsafeMutablePointer<UInt64>

    private init() {
        unsafe slots = .allocate(capacity: Self.count)
        unsafe slots.initialize(repeating: 0, count: Self.count)
    }

    /// Notes that a type's values are read through the free conformance.
    @inline(__always)
    func note(_ type: Any.Type) {
        let address = Self.address(of: type)
        let slot = unsafe slots + Self.index(of: address)
        if unsafe AtomicWord.load(slot) == 0 { unsafe AtomicWord.store(address, to: slot) }
    }

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
        Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 56)
    }
}

extension JsonDocument {
    /// Whether a type is known to use the default `from(raw:)`.
    @usableFromInline
    func isDefault<Value>(_ type: Value.Type) -> Bool { DefaultConformanceTypes.known.contains(type) }
}
