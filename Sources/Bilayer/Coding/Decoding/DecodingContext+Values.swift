extension DecodingContext {
    /// Returns the fast path for a type.
    @inline(__always)
    func fastPath<Value: Decodable>(of type: Value.Type) -> DecodingFastPath {
        unsafe storage.pointee.fastPaths.value(for: type) {
            unsafe DecodingFastPath(type, storage.pointee.settings.pointee)
        }
    }

    /// Makes a value of any type.
    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type, at position: Int, _ node: CodingPathNode) throws -> Value {
        if isDetached { return try continueDetached(type, at: position, node) }
        return try value(type, by: fastPath(of: type), at: position, node)
    }

    /// Makes a value in a new call, for a detached decoder or container.
    @inline(never)
    private func continueDetached<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> Value {
        guard let document else { throw failure(type, at: position, node.path(in: nil)) }
        return try DecodingSession.run(document, settings, path: node.path(in: nodes)) { context in
            try context.value(type, at: position, context.root)
        }
    }

    @inline(__always)
    func value<Value: Decodable>(
        _ type: Value.Type,
        by fastPath: DecodingFastPath,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> Value {
        if unsafe storage.pointee.hasLog { return try reportingValue(type, by: fastPath, at: position, node) }
        if case .plain = fastPath { return try makeValue(type, at: position, node) }
        return try specialValue(type, by: fastPath, at: position, node)
    }

    /// Makes a value while the task may have an issue log. The issues of the value's fields get the name of the type
    /// that declares the fields (``MappingIssue/owner``). If the value cannot be made, its issues are set aside,
    /// because the caller may discard the error and continue.
    @inline(never)
    private func reportingValue<Value: Decodable>(
        _ type: Value.Type,
        by fastPath: DecodingFastPath,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> Value {
        let log = fastPath.mayReport ? IssueLog.current : nil
        let mark = log?.mark ?? .start
        let additions = IssueLog.additionCount
        defer {
            if let log, additions == nil || IssueLog.additionCount != additions {
                setOwner(in: log, since: mark, of: type, at: node)
            }
        }
        do {
            let value: Value
            if case .plain = fastPath {
                value = try makeValue(type, at: position, node)
            } else {
                value = try specialValue(type, by: fastPath, at: position, node)
            }
            if let log, additions == nil || IssueLog.additionCount != additions { log.settleAside(since: mark) }
            return value
        } catch {
            log?.setAside(since: mark, failedBy: error)
            throw error
        }
    }

    /// Sets the owner of the issues that the fields of a value have added to the log since a mark. The owner is the
    /// type that declares the fields.
    @inline(never)
    private func setOwner(in log: IssueLog, since mark: IssueLog.Mark, of type: Any.Type, at node: CodingPathNode) {
        guard log.hasAdditions(since: mark), let owner = FieldOwner.of(type) else { return }
        let depth = JsonPath(node.path(in: nodes)).components.count + owner.depth
        log.setOwner(since: mark, deeperThan: depth, by: owner.name)
    }

    /// Makes a value of a type whose fast path is not ``DecodingFastPath/plain``.
    @inline(never)
    private func specialValue<Value: Decodable>(
        _ type: Value.Type,
        by fastPath: DecodingFastPath,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> Value {
        var memory: SmallMemory = (0, 0, 0, 0, 0, 0, 0, 0)
        if MemoryLayout<Value>.size > MemoryLayout<SmallMemory>.size
            || MemoryLayout<Value>.alignment > MemoryLayout<SmallMemory>.alignment
        {
            return try largeValue(type, by: fastPath, at: position, node)
        }
        return try unsafe specialValue(type, by: fastPath, at: position, node, through: &memory)
    }

    /// Memory for a value of at most 64 bytes. A larger value, such as an optional of a large type, needs memory of its
    /// own.
    private typealias SmallMemory = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

    @inline(never)
    private func largeValue<Value: Decodable>(
        _ type: Value.Type,
        by fastPath: DecodingFastPath,
        at position: Int,
        _ node: CodingPathNode
    ) throws -> Value {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: 1)
        defer { unsafe memory.deallocate() }
        return try unsafe specialValue(type, by: fastPath, at: position, node, through: UnsafeMutableRawPointer(memory))
    }

    /// Bound: `memory` has room for a `Value`.
    @unsafe
    @inline(__always)
    private func specialValue<Value: Decodable>(
        _ type: Value.Type,
        by fastPath: DecodingFastPath,
        at position: Int,
        _ node: CodingPathNode,
        through memory: UnsafeMutableRawPointer
    ) throws -> Value {
        try fillSpecially(unsafe UninitializedSlot(memory), with: type, by: fastPath, at: position, node)
        return unsafe memory.assumingMemoryBound(to: type).move()
    }

    /// Makes a value directly in a slot for its type, without a copy.
    @inline(never)
    func fill<Value: Decodable>(
        _ slot: UninitializedSlot,
        with type: Value.Type,
        by fastPath: DecodingFastPath,
        at position: Int,
        _ node: CodingPathNode
    ) throws {
        try fillSpecially(slot, with: type, by: fastPath, at: position, node)
    }

    /// Fills a slot by a fast path. This function is inlined into both callers, because each of them makes many values.
    @inline(__always)
    private func fillSpecially<Value: Decodable>(
        _ slot: UninitializedSlot,
        with type: Value.Type,
        by fastPath: DecodingFastPath,
        at position: Int,
        _ node: CodingPathNode
    ) throws {
        // Bound of each `fill`: the fast path was chosen because `Value` is exactly that type.
        switch fastPath {
        case .plain: unsafe slot.fill(try makeValue(type, at: position, node))
        case .bool: unsafe slot.fill(try bool(at: position, node))
        case .int: unsafe slot.fill(try integer(Int.self, at: position, node))
        case .double: unsafe slot.fill(try floatingPoint(Double.self, at: position, node))
        case .float: unsafe slot.fill(try floatingPoint(Float.self, at: position, node))
        case .string: unsafe slot.fill(try string(at: position, node))
        case .date: unsafe slot.fill(try date(at: position, node))
        case .data: unsafe slot.fill(try data(at: position, node))
        case .url: unsafe slot.fill(try url(at: position, node))
        case .decimal: unsafe slot.fill(try decimal(at: position, node))
        case .json: unsafe slot.fill(json(at: position))
        case .ints: unsafe slot.fill(try ints(at: position, node))
        case .doubles: unsafe slot.fill(try doubles(at: position, node))
        case .strings: unsafe slot.fill(try strings(at: position, node))
        case .direct(let direct): try unsafe fill(slot, with: direct, at: position, node)
        case .salvaged(let collection): try unsafe fill(slot, salvaging: collection, at: position, node)
        case .checked:
            let value = try makeValue(type, at: position, node)
            try (value as? any CheckedKeyDictionary)?.checkKeys(at: JsonPath(node.path(in: nodes)))
            unsafe slot.fill(value)
        case .scalar(let scalar):
            let scalar = unsafe unsafeDowncast(scalar.takeUnretainedValue(), to: ScalarFormat<Value>.self)
            if let read = scalar.format.quickRead, read(nodes, position, { unsafe slot.fill($0) }) { return }
            unsafe slot.fill(try mapping(json(at: position), at: node.path(in: nodes)) { try scalar.format.read($0) })
        }
    }

    /// Bound: the slot is for values of this type.
    @unsafe
    @inline(__always)
    private func fill<Direct: DirectlyDecodable>(
        _ slot: UninitializedSlot,
        with type: Direct.Type,
        at position: Int,
        _ node: CodingPathNode
    ) throws {
        unsafe slot.fill(try type.decode(at: position, node, in: self))
    }

    /// Bound: the slot is for values of this type.
    @unsafe
    @inline(never)
    private func fill<Collection: SalvagedCollection>(
        _ slot: UninitializedSlot,
        salvaging type: Collection.Type,
        at position: Int,
        _ node: CodingPathNode
    ) throws {
        unsafe slot.fill(try withDecoder(at: position, node) { try type.salvaged(from: $0) })
    }
}

// Collections that are filled without their own `Codable` conformances. Their size is known in advance, and they need
// no container.

extension Array: DirectlyDecodable where Element: Decodable {
    static func decode(at position: Int, _ node: CodingPathNode, in context: DecodingContext) throws -> [Element] {
        let nodes = context.nodes
        guard nodes.tag(at: position) == .array else {
            throw context.failure([Element].self, at: position, node.path(in: nodes))
        }
        let count = nodes.words.memberCount(at: position)
        // All empty arrays share their storage, and the initializer would write into it.
        if count == 0 { return [] }
        let fastPath = context.fastPath(of: Element.self)
        if case .doubles = fastPath, let lists = nodes.doubleLists(at: position) {
            // Bound: the fast path was chosen because the element is exactly that type.
            return unsafe unsafeBitCast(lists, to: [Element].self)
        }
        var child = nodes.firstChild(of: position)
        let (mark, outer) = try unsafe context.enterCollection(at: position, node)
        defer { context.leave(mark) }
        if nodes.capacity(for: count, of: Element.self, in: position) < count {
            return try unsafe elementsByGrowing(to: count, from: position, by: fastPath, in: context, outer)
        }
        return try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                // Bound: the buffer has capacity for `count` elements.
                let element = unsafe UninitializedSlot(buffer.baseAddress.unsafelyUnwrapped + initialized)
                let node = unsafe CodingPathNode(in: outer, index: initialized)
                if case .plain = fastPath {
                    unsafe element.fill(try context.makeValue(Element.self, at: child, node))
                } else {
                    try context.fill(element, with: Element.self, by: fastPath, at: child, node)
                }
                initialized &+= 1
                child = nodes.words.next(after: child)
            }
        }
    }
}

extension Array where Element: Decodable {
    /// Makes an array whose elements take far more memory than their text. Its capacity grows with the elements.
    ///
    /// Bound: `outer` is the coding path of the array, and valid until the function returns.
    @unsafe
    @inline(never)
    private static func elementsByGrowing(
        to count: Int,
        from position: Int,
        by fastPath: DecodingFastPath,
        in context: DecodingContext,
        _ outer: UnsafePointer<CodingPathNode>
    ) throws -> [Element] {
        let nodes = context.nodes
        var elements: [Element] = []
        elements.reserveCapacity(nodes.capacity(for: count, of: Element.self, in: position))
        var child = nodes.firstChild(of: position)
        for index in 0..<count {
            let node = unsafe CodingPathNode(in: outer, index: index)
            elements.append(try context.value(Element.self, by: fastPath, at: child, node))
            child = nodes.words.next(after: child)
        }
        return elements
    }
}

extension Dictionary: DirectlyDecodable, StringKeyedDictionary where Key == String, Value: Decodable {
    static func decode(at position: Int, _ node: CodingPathNode, in context: DecodingContext) throws -> [String: Value]
    {
        try context.dictionary(of: Value.self, at: position, node)
    }
}

extension Optional: DirectlyDecodable where Wrapped: Decodable {
    static func decode(at position: Int, _ node: CodingPathNode, in context: DecodingContext) throws -> Wrapped? {
        context.nodes.tag(at: position) == .null ? nil : try context.value(Wrapped.self, at: position, node)
    }
}

extension DecodingContext {
    /// Reads the value of an optional property with the tolerance of the call.
    @inline(never)
    func optionalValue<Value>(
        _ type: Value.Type,
        at path: @autoclosure () -> [any CodingKey],
        _ read: () throws -> Value
    ) throws -> Value? {
        guard let tolerance = settings.tolerance else { return try read() }
        return try tolerance.optional(type, at: path(), read)
    }
}

// Functions for the mapping layer: they make one entry, or a list of entries, with the default settings.

extension DecodingSession {
    /// Makes a value with the default settings: a `Codable` entry of the mapping layer, often one of thousands. The
    /// session keeps most of its state from the previous entry.
    /// - Parameters:
    ///   - type: The type to make.
    ///   - position: The value's position in the index.
    ///   - document: The document; retained by the caller.
    /// - Returns: The value.
    /// - Throws: What decoding the value throws, or a `DecodingError` if the stack is nearly full.
    @inline(__always)
    static func value<Value: Decodable>(_ type: Value.Type, at position: Int, of document: JsonDocument) throws -> Value
    {
        try runPlain(document) { context in try context.value(type, at: position, CodingPathNode()) }
    }

    /// Makes the elements of an array after the first. Each element is decoded as a root value, so its coding path
    /// begins at the element.
    /// - Parameters:
    ///   - first: The first element.
    ///   - array: The index position of the array, which must have at least two elements.
    ///   - document: The document; retained by the caller.
    ///   - failure: Returns the error to throw. Receives the index of the failed element, its index position and its
    ///     error.
    /// - Returns: All elements.
    /// - Throws: What `failure` returns, or a `DecodingError` if the stack is nearly full.
    static func values<Value: Decodable>(
        after first: Value,
        in array: Int,
        of document: JsonDocument,
        failure: (_ index: Int, _ position: Int, _ error: any Error) -> any Error
    ) throws -> [Value] {
        try runPlain(document) { context in
            let nodes = context.nodes
            let type = Value.self
            let fastPath = context.fastPath(of: type)
            let count = nodes.words.memberCount(at: array)
            var position = nodes.words.next(after: nodes.firstChild(of: array))
            if nodes.capacity(for: count, of: type, in: array) < count {
                return try context.elementsByGrowing(after: first, to: count, from: array, by: fastPath, failure)
            }
            return try unsafe [Value](unsafeUninitializedCapacity: count) { buffer, made in
                // Bound: `count` is at least one, and the buffer has capacity for `count` elements.
                unsafe buffer.baseAddress.unsafelyUnwrapped.initialize(to: first)
                made = 1
                while made < count {
                    // Bound: the buffer has capacity for `count` elements.
                    let slot = unsafe UninitializedSlot(buffer.baseAddress.unsafelyUnwrapped + made)
                    do {
                        try context.fill(slot, with: type, by: fastPath, at: position, CodingPathNode())
                    } catch {
                        throw failure(made, position, error)
                    }
                    made &+= 1
                    position = nodes.words.next(after: position)
                }
            }
        }
    }
}

extension DecodingContext {
    /// Makes the elements of an array. They take far more memory than their text, so the capacity grows with them.
    @inline(never)
    fileprivate func elementsByGrowing<Value: Decodable>(
        after first: Value,
        to count: Int,
        from array: Int,
        by fastPath: DecodingFastPath,
        _ failure: (_ index: Int, _ position: Int, _ error: any Error) -> any Error
    ) throws -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(nodes.capacity(for: count, of: Value.self, in: array))
        values.append(first)
        var position = nodes.words.next(after: nodes.firstChild(of: array))
        for index in 1..<count {
            do {
                values.append(try value(Value.self, by: fastPath, at: position, CodingPathNode()))
            } catch {
                throw failure(index, position, error)
            }
            position = nodes.words.next(after: position)
        }
        return values
    }
}
