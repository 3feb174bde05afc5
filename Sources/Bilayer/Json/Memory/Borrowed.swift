/// A value used where it is stored, without a copy.
///
/// Swift copies a value of a type that it does not know when it is read through a pointer and passed on. What cannot be
/// copied is borrowed instead, also when it is nothing but a wrapper around the value.
///
/// **Bound.** A pointer to a value is a pointer to a `Borrowed` of it: a structure with one property has that
/// property's layout.
@usableFromInline
struct Borrowed<Value>: ~Copyable {
    @usableFromInline let value: Value

    init(_ value: Value) { self.value = value }

    @inlinable
    @inline(__always)
    borrowing func use<Result>(_ body: (Value) throws -> Result) rethrows -> Result { try body(value) }
}

extension UnsafePointer {
    /// Uses the value at the address without a copy.
    @inlinable
    @inline(__always)
    func borrow<Result>(_ body: (Pointee) throws -> Result) rethrows -> Result {
        try unsafe UnsafeRawPointer(self).assumingMemoryBound(to: Borrowed<Pointee>.self).pointee.use(body)
    }
}

extension Sequence {
    /// Uses the elements in order; those of an array where they are, without a copy of each.
    @inlinable
    @inline(__always)
    func forEachBorrowed(_ body: (Element) throws -> Void) rethrows {
        let done: Void? = try withContiguousStorageIfAvailable { elements in
            guard let start = elements.baseAddress else { return }
            // Bound: below `count`, and the array is held for as long as this runs.
            for index in 0..<elements.count { try unsafe (start + index).borrow(body) }
        }
        if done == nil { for element in self { try body(element) } }
    }
}

/// Memory for one value whose type both sides know, but not the compiler: what is known to be an array of doubles goes
/// where a generic function wants its `Value`. Returned and cast it would be copied, and its references counted.
///
/// **Bound.** The code that makes a slot has uninitialised memory for a value of the type, and reads it only if the
/// call that fills it does not throw.
@safe
struct UninitializedSlot {
    private let memory: UnsafeMutableRawPointer

    @inline(__always)
    init(_ memory: UnsafeMutableRawPointer) { unsafe self.memory = memory }

    /// Puts the value in. Only for values of the type that the room is for.
    @unsafe
    @inline(__always)
    func fill<Value>(_ value: consuming Value) {
        unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: value)
    }
}
