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
    func lend<Result>(_ body: (Pointee) throws -> Result) rethrows -> Result {
        try unsafe UnsafeRawPointer(self).assumingMemoryBound(to: Borrowed<Pointee>.self).pointee.use(body)
    }
}

extension Sequence {
    /// Uses the elements in order; those of an array where they are, without a copy of each.
    @inlinable
    @inline(__always)
    func lendEach(_ body: (Element) throws -> Void) rethrows {
        let done: Void? = try withContiguousStorageIfAvailable { elements in
            guard let start = elements.baseAddress else { return }
            // Bound: below `count`, and the array is held for as long as this runs.
            for index in 0..<elements.count { try unsafe (start + index).lend(body) }
        }
        if done == nil { for element in self { try body(element) } }
    }
}
