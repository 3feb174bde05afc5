/// A wrapper that uses a value in place, without a copy.
///
/// In generic code, Swift copies a value that is read through a pointer and passed on. A noncopyable value is borrowed
/// instead, and so is a noncopyable wrapper.
///
/// **Bound.** A pointer to a value is also a pointer to a `Borrowed` of the value: a structure with one property has
/// the property's layout.
@usableFromInline
struct Borrowed<Value>: ~Copyable {
    @usableFromInline let value: Value

    init(_ value: Value) { self.value = value }

    @inlinable
    @inline(__always)
    borrowing func use<Result>(_ body: (Value) throws -> Result) rethrows -> Result { try body(value) }
}

extension UnsafePointer {
    /// Calls the closure with the value at the address, without a copy.
    @inlinable
    @inline(__always)
    func borrow<Result>(_ body: (Pointee) throws -> Result) rethrows -> Result {
        try unsafe UnsafeRawPointer(self).assumingMemoryBound(to: Borrowed<Pointee>.self).pointee.use(body)
    }
}

extension Sequence {
    /// Calls the closure with each element in order. The elements of an array are not copied.
    @inlinable
    @inline(__always)
    func forEachBorrowed(_ body: (Element) throws -> Void) rethrows {
        let done: Void? = try withContiguousStorageIfAvailable { elements in
            guard let start = elements.baseAddress else { return }
            // Bound: the index is below `count`, and the array is retained during the call.
            for index in 0..<elements.count { try unsafe (start + index).borrow(body) }
        }
        if done == nil { for element in self { try body(element) } }
    }
}

/// Memory for one value, which a generic function provides and a function for a concrete type fills. Both functions use
/// the same type, but the compiler cannot prove it. For example, a reader of doubles fills the memory for a generic
/// `Value`. Returning and casting the result instead would copy it and count its references.
///
/// **Bound.** The code that makes a slot provides uninitialized memory for a value of the type. It reads the memory
/// only if the call that fills the slot does not throw.
@safe
struct UninitializedSlot {
    private let memory: UnsafeMutableRawPointer

    @inline(__always)
    init(_ memory: UnsafeMutableRawPointer) { unsafe self.memory = memory }

    /// Initializes the memory. The value must have the slot's type.
    @unsafe
    @inline(__always)
    func fill<Value>(_ value: consuming Value) {
        unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: value)
    }
}
