/// The set of keys written into one object, by the hashes of their names.
///
/// Names with equal hashes count as one name. If both have values, the only cost is a search of the finished text for
/// repeated keys, which compares names. For nested containers names are not compared. The hashes are seeded and have 63
/// bits, so a collision is very unlikely.
///
/// **Bound.** There are `mask + 1` slots, a power of two. At most half of them are used, so a search ends at an empty
/// slot.
@safe
struct WrittenNames<Container> {
    /// The property that has written a name, as a hash. If two properties have equal hashes, their clash is not reported,
    /// which is very unlikely.
    struct Property: Equatable {
        private let bits: UInt32

        private init(bits: UInt32) { self.bits = bits }

        /// A property that is not compared with others, because two properties cannot have one name by mistake.
        static var unknown: Property { Property(bits: 0) }

        /// The property of a key with a number, in the cache of its type.
        @inline(__always)
        init<State>(number: Int, in cache: UnsafeMutablePointer<KeyTypeCache<State>>) {
            // The address is a multiple of 16. The odd factors spread the bits.
            let type = UInt32(truncatingIfNeeded: UInt(bitPattern: cache) &>> 4) &* 0x9E37_79B1
            bits = (type &+ UInt32(truncatingIfNeeded: number) &* 0x85EB_CA6B) & ~1
        }

        /// A property by the hash of its name and its key type.
        init(hash: UInt64) { bits = UInt32(truncatingIfNeeded: hash &>> 32) & ~1 }

        /// A property that declares a path, by its hash.
        init(onPath hash: UInt64) { bits = UInt32(truncatingIfNeeded: hash &>> 32) | 1 }

        var isOnPath: Bool { bits & 1 == 1 }
    }

    /// The number of times that a name was written, and the property that has written it first.
    private struct Use {
        /// 0 while the slot is empty.
        var hash: UInt64 = 0
        var count: UInt32 = 0
        var property = Property.unknown
    }

    private var uses: UnsafeMutablePointer<Use>
    private var mask: Int
    private var used = 0
    /// The nested containers registered for keys. A value that is written for a key later removes the key's container.
    private var containers: [UInt64: Container] = [:]
    /// The containers that were replaced by values that may still fail. For each, the number of uses of its name before
    /// the replacement.
    private var replaced: [(hash: UInt64, start: Int, uses: UInt32, container: Container)] = []

    /// Makes an empty set with capacity for some names.
    init(capacity: Int) {
        var count = 64
        while count < capacity &* 2 { count &*= 2 }
        unsafe uses = Self.allocate(count)
        mask = count &- 1
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Use> {
        let uses = UnsafeMutablePointer<Use>.allocate(capacity: count)
        unsafe uses.initialize(repeating: Use(), count: count)
        return unsafe uses
    }

    /// Frees all memory.
    func deallocate() { unsafe uses.deallocate() }

    private func index(of hash: UInt64) -> Int {
        var index = Int(truncatingIfNeeded: hash &>> 1) & mask
        while unsafe uses[index].hash != 0, unsafe uses[index].hash != hash { index = (index &+ 1) & mask }
        return index
    }

    func contains(_ hash: UInt64) -> Bool { unsafe uses[index(of: hash)].count > 0 }

    /// Records a name whose member starts at an offset.
    /// - Returns: The property that has written the name first; `nil` if it is the first use of the name.
    mutating func insert(_ hash: UInt64, at start: Int, _ property: Property) -> Property? {
        let index = index(of: hash)
        if unsafe uses[index].hash == 0 {
            unsafe uses[index] = Use(hash: hash, count: 1, property: property)
            used &+= 1
            if used &* 2 > mask { grow() }
            return nil
        }
        unsafe uses[index].count &+= 1
        if !containers.isEmpty, let container = containers.removeValue(forKey: hash) {
            unsafe replaced.append((hash, start, uses[index].count &- 1, container))
        }
        if unsafe uses[index].count > 1 { return unsafe uses[index].property }
        // The earlier value has failed and was removed.
        unsafe uses[index].property = property
        return nil
    }

    /// Removes a name whose member started at an offset and failed.
    mutating func remove(_ hash: UInt64, at start: Int) {
        let index = index(of: hash)
        guard unsafe uses[index].count > 0 else { return }
        unsafe uses[index].count &-= 1
        guard let last = replaced.lastIndex(where: { $0.hash == hash && $0.start == start }) else { return }
        let earlier = replaced.remove(at: last)
        // The container is restored only if the failed value has not written another value for the name into this
        // object.
        if unsafe uses[index].count == earlier.uses { containers[hash] = earlier.container }
    }

    /// Returns the nested container registered for a name.
    func container(_ hash: UInt64) -> Container? { containers[hash] }

    /// Registers a nested container for a name.
    mutating func record(_ container: Container, for hash: UInt64) { containers[hash] = container }

    private mutating func grow() {
        let old = unsafe UnsafeMutableBufferPointer(start: uses, count: mask &+ 1)
        mask = old.count &* 2 &- 1
        unsafe uses = Self.allocate(mask &+ 1)
        unsafe old.forEach { use in
            if use.hash != 0 { unsafe uses[index(of: use.hash)] = use }
        }
        unsafe old.deallocate()
    }
}

extension UnsafeMutablePointer {
    static func make<Container>(capacity: Int) -> Self where Pointee == WrittenNames<Container> {
        let names = Self.allocate(capacity: 1)
        unsafe names.initialize(to: WrittenNames(capacity: capacity))
        return unsafe names
    }

    func free<Container>() where Pointee == WrittenNames<Container> {
        unsafe pointee.deallocate()
        unsafe deinitialize(count: 1)
        unsafe deallocate()
    }
}
