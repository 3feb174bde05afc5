/// A value where it stands, used there without a copy.
///
/// Swift copies a value of a type that it does not know when it is read through a pointer and passed on. What cannot be copied is
/// borrowed instead, also when it is nothing but a wrapper around the value.
///
/// **Bound.** A pointer to a value is a pointer to a `Lent` of it: a structure with one property has that property's layout.
struct Lent<Value>: ~Copyable {
    private let value: Value

    init(_ value: Value) { self.value = value }

    @inline(__always)
    borrowing func use<Result>(_ body: (Value) throws -> Result) rethrows -> Result { try body(value) }
}

extension UnsafePointer {
    /// Uses the value at the address without a copy.
    @inline(__always)
    func lend<Result>(_ body: (Pointee) throws -> Result) rethrows -> Result {
        try unsafe UnsafeRawPointer(self).assumingMemoryBound(to: Lent<Pointee>.self).pointee.use(body)
    }
}
