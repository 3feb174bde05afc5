/// The types that are known to have no reading of their own: somebody has read one through a free conformance that does nothing but
/// decode, and nobody can reach that in a type that has another. So the elements of an array of such a type can be read in one session.
///
/// A type's slot is given to the first type that asks for it: nobody waits, and who comes too late, or loses a race, is read as before.
///
/// **Bound.** The slots are `count` in number, made once and never freed; types are compared by their addresses, never followed.
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
    /// Reads the elements of an array in one session; nil for a type that may have a reading of its own.
    @usableFromInline
    func entries<Value>(_ type: Value.Type, in array: Int) throws -> [Value]? {
        guard DefaultConformanceTypes.known.contains(type), let entry = type as? any Decodable.Type else { return nil }
        return try entry.entries(type, in: array, of: self)
    }
}

extension Decodable {
    /// The same for a type that is known to be this one.
    fileprivate static func entries<Value>(
        _ type: Value.Type,
        in array: Int,
        of document: JsonDocument
    ) throws -> [Value] {
        let entries = try DecodingSession.values(Self.self, in: array, of: document) { index, position, error in
            MappingError.located(Json(.view(document, position)).entryError(error, of: Self.self), at: .index(index))
        }
        // Bound: both are one type. A cast would make the array anew, element by element.
        return unsafe unsafeBitCast(entries, to: [Value].self)
    }
}
