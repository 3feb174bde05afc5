/// The types that use the default `from(raw:)` of `Codable` entries. Elements of such a type can be read in one
/// session.
///
/// A type is noted when the default `from(raw:)` reads a value of it, which that of a type with its own cannot. An
/// array reads its first element in that way, and then looks here for the others: so each array of a type is read like
/// the first one.
///
/// The first type of a slot occupies it, without a lock. A type without a slot is read element by element.
///
/// **Bound.** The slots are `count` in number, made once and never freed; types are compared by their addresses, never
/// followed.
@safe
// Sendable: the slots are only used as atomics.
struct DefaultConformanceTypes: @unchecked Sendable {
    static let known = DefaultConformanceTypes()

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
        let slot = unsafe slots + Self.place(of: address)
        if unsafe AtomicWord.load(slot) == 0 { unsafe AtomicWord.store(address, to: slot) }
    }

    /// Whether that is known of a type.
    @inline(__always)
    func contains(_ type: Any.Type) -> Bool {
        let address = Self.address(of: type)
        return unsafe AtomicWord.load(slots + Self.place(of: address)) == address
    }

    @inline(__always)
    private static func address(of type: Any.Type) -> UInt64 {
        // Bound: `Any.Type` is one pointer.
        UInt64(UInt(bitPattern: unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)))
    }

    @inline(__always)
    private static func place(of address: UInt64) -> Int {
        Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) &>> 56)
    }
}

extension JsonDocument {
    /// Whether a type is known to use the default `from(raw:)`.
    @usableFromInline
    func isDefault<Value>(_ type: Value.Type) -> Bool { DefaultConformanceTypes.known.contains(type) }

    /// Reads the elements of an array after the first in one session, and puts that in front. Only for a type that
    /// uses the default `from(raw:)`; nil for one that is not `Decodable`.
    @usableFromInline
    func entries<Value>(after first: Value, in array: Int) throws -> [Value]? {
        guard let entry = Value.self as? any Decodable.Type else { return nil }
        return try entry.entries(after: first, in: array, of: self)
    }
}

extension Decodable {
    /// Reads the elements of an array after the first. `Value` must be `Self`.
    fileprivate static func entries<Value>(
        after first: Value,
        in array: Int,
        of document: JsonDocument
    ) throws -> [Value] {
        // Bound: both are one type. A cast would make the array anew, element by element.
        let first = unsafe unsafeBitCast(first, to: Self.self)
        let entries = try DecodingSession.values(after: first, in: array, of: document) { index, position, error in
            MappingError.located(Json(.view(document, position)).entryError(error, of: Self.self), at: .index(index))
        }
        return unsafe unsafeBitCast(entries, to: [Value].self)
    }
}
