extension DecodingContext {
    /// Makes a value of any type.
    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type, at position: Int, _ place: CodingPathNode) throws -> Value {
        if isDetached { return try continueDetached(type, at: position, place) }
        return try value(type, by: route(of: type), at: position, place)
    }

    /// Makes a value in a call of its own, for decoders and containers that outlived theirs.
    @inline(never)
    private func continueDetached<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        _ place: CodingPathNode
    ) throws -> Value {
        guard let document else { throw failure(type, at: position, place.path(in: nil)) }
        return try DecodingSession.run(document, settings, path: place.path(in: nodes)) { context in
            try context.value(type, at: position, context.root)
        }
    }

    @inline(__always)
    func value<Value: Decodable>(
        _ type: Value.Type,
        by route: DecodingFastPath,
        at position: Int,
        _ place: CodingPathNode
    ) throws -> Value {
        if case .plain = route { return try makeValue(type, at: position, place) }
        return try specialValue(type, by: route, at: position, place)
    }

    /// Makes a value of a type that is not made through its own `init(from:)` alone.
    @inline(never)
    private func specialValue<Value: Decodable>(
        _ type: Value.Type,
        by route: DecodingFastPath,
        at position: Int,
        _ place: CodingPathNode
    ) throws -> Value {
        var memory: SmallMemory = (0, 0, 0, 0, 0, 0, 0, 0)
        if MemoryLayout<Value>.size > MemoryLayout<SmallMemory>.size
            || MemoryLayout<Value>.alignment > MemoryLayout<SmallMemory>.alignment
        {
            return try largeValue(type, by: route, at: position, place)
        }
        return try unsafe specialValue(type, by: route, at: position, place, through: &memory)
    }

    /// Enough for all but optionals of large types.
    private typealias SmallMemory = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    @inline(never)
    private func largeValue<Value: Decodable>(
        _ type: Value.Type,
        by route: DecodingFastPath,
        at position: Int,
        _ place: CodingPathNode
    ) throws -> Value {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { unsafe memory.deallocate() }
        return try unsafe specialValue(type, by: route, at: position, place, through: UnsafeMutableRawPointer(memory))
    }

    /// Bound: there is memory for a `Value`.
    @unsafe
    @inline(__always)
    private func specialValue<Value: Decodable>(
        _ type: Value.Type,
        by route: DecodingFastPath,
        at position: Int,
        _ place: CodingPathNode,
        through memory: UnsafeMutableRawPointer
    ) throws -> Value {
        try fillSpecially(unsafe UninitializedSlot(memory), with: type, by: route, at: position, place)
        return unsafe memory.assumingMemoryBound(to: type).move()
    }

    /// Makes a value and puts it into a room for values of its type, so that it is not copied on the way.
    @inline(never)
    func fill<Value: Decodable>(
        _ room: UninitializedSlot,
        with type: Value.Type,
        by route: DecodingFastPath,
        at position: Int,
        _ place: CodingPathNode
    ) throws {
        try fillSpecially(room, with: type, by: route, at: position, place)
    }

    /// Compiled twice, as each of its callers is on the way of many values.
    @inline(__always)
    private func fillSpecially<Value: Decodable>(
        _ room: UninitializedSlot,
        with type: Value.Type,
        by route: DecodingFastPath,
        at position: Int,
        _ place: CodingPathNode
    ) throws {
        // Bound of each `fill`: the route was chosen because `Value` is that very type.
        switch route {
        case .plain: unsafe room.fill(try makeValue(type, at: position, place))
        case .bool: unsafe room.fill(try bool(at: position, place))
        case .int: unsafe room.fill(try integer(Int.self, at: position, place))
        case .double: unsafe room.fill(try floatingPoint(Double.self, at: position, place))
        case .float: unsafe room.fill(try floatingPoint(Float.self, at: position, place))
        case .string: unsafe room.fill(try string(at: position, place))
        case .date: unsafe room.fill(try date(at: position, place))
        case .data: unsafe room.fill(try data(at: position, place))
        case .url: unsafe room.fill(try url(at: position, place))
        case .decimal: unsafe room.fill(try decimal(at: position, place))
        case .json: unsafe room.fill(json(at: position))
        case .ints: unsafe room.fill(try ints(at: position, place))
        case .doubles: unsafe room.fill(try doubles(at: position, place))
        case .strings: unsafe room.fill(try strings(at: position, place))
        case .direct(let direct): try unsafe fill(room, with: direct, at: position, place)
        case .checked:
            let value = try makeValue(type, at: position, place)
            try (value as? any CheckedKeyDictionary)?.checkKeys(at: JsonPath(place.path(in: nodes)))
            unsafe room.fill(value)
        case .scalar(let scalar):
            let format = unsafe unsafeDowncast(scalar.takeUnretainedValue(), to: ScalarFormat<Value>.self).format
            unsafe room.fill(try mapping(json(at: position), at: place.path(in: nodes)) { try format.read($0) })
        }
    }

    /// Bound: the room is for values of this type.
    @unsafe
    @inline(__always)
    private func fill<Direct: DirectlyDecodable>(
        _ room: UninitializedSlot,
        with type: Direct.Type,
        at position: Int,
        _ place: CodingPathNode
    ) throws {
        unsafe room.fill(try type.decode(at: position, place, in: self))
    }
}
