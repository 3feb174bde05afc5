/// A hash table with one value for each type, such as the type's reader or a cache. The key is the address of the
/// type's metadata. A value is made when it is first requested.
///
/// **Bound.** There are `mask + 1` slots, a power of two. At most half of them are used, so a search ends at an empty
/// slot.
@safe
struct TypeTable<Value> {
    @safe
    private struct Slot {
        var type: UnsafeRawPointer?
        var value: Value?
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var mask = 31
    private var used = 0

    init() {
        unsafe slots = Self.allocate(32)
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Slot> {
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
        unsafe slots.initialize(repeating: Slot(type: nil, value: nil), count: count)
        return unsafe slots
    }

    /// Returns the value for a type, and makes it at the first request.
    @inline(__always)
    mutating func value(for type: Any.Type, orMake make: () -> Value) -> Value {
        // Bound: `Any.Type` is one pointer. The pointer is compared, never dereferenced.
        let address = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
        let slot = unsafe slots + search(address)
        if let value = unsafe slot.pointee.value { return value }
        return unsafe insert(make(), for: address)
    }

    /// Returns the index of the slot with a type. If the table has no such slot, returns the index of the empty slot
    /// for the type.
    @inline(__always)
    private func search(_ address: UnsafeRawPointer) -> Int {
        let mixed = UInt64(UInt(bitPattern: address)) &* 0x9E37_79B9_7F4A_7C15
        var index = Int(truncatingIfNeeded: mixed &>> 40) & mask
        while let other = unsafe slots[index].type, unsafe other != address { index = (index &+ 1) & mask }
        return index
    }

    @inline(never)
    private mutating func insert(_ value: Value, for address: UnsafeRawPointer) -> Value {
        used &+= 1
        if used &* 2 > mask { grow() }
        unsafe slots[search(address)] = Slot(type: address, value: value)
        return value
    }

    private mutating func grow() {
        let old = unsafe UnsafeMutableBufferPointer(start: slots, count: mask &+ 1)
        mask = old.count &* 2 &- 1
        unsafe slots = Self.allocate(mask &+ 1)
        unsafe old.forEach { slot in
            if let type = unsafe slot.type { unsafe slots[search(type)] = slot }
        }
        unsafe old.deinitialize()
        unsafe old.deallocate()
    }

    /// Calls the closure with each value in the table.
    func forEach(_ body: (Value) -> Void) {
        for index in 0...mask {
            if let value = unsafe slots[index].value { body(value) }
        }
    }

    /// Calls the closure with each value in the table, then frees the table.
    func deallocate(_ each: (Value) -> Void = { _ in }) {
        forEach(each)
        unsafe slots.deinitialize(count: mask &+ 1)
        unsafe slots.deallocate()
    }
}
