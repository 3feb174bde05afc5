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
