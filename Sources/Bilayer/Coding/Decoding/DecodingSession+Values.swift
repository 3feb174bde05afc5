// What the mapping layer asks for: the values of one entry, or of a list of them, with the default settings.

extension DecodingSession {
    /// Makes a value with the default settings: a `Codable` entry of the mapping layer, which may be one of thousands.
    /// Most of what a session is set up with is there from the entry before.
    /// - Parameters:
    ///   - type: What to make.
    ///   - position: The value's position in the index.
    ///   - document: The document; held by the caller.
    /// - Returns: The value.
    /// - Throws: What the type throws.
    @inline(__always)
    static func value<Value: Decodable>(_ type: Value.Type, at position: Int, of document: JsonDocument) throws -> Value
    {
        try runPlain(document) { context in try context.value(type, at: position, CodingPathNode()) }
    }

    /// Makes the elements of an array after the first, each as if it were a value of its own.
    /// - Parameters:
    ///   - first: The first element.
    ///   - array: The array's position in the index; it has at least two elements.
    ///   - document: The document; held by the caller.
    ///   - failure: What to throw for the error of an element, of which the index and the place come first.
    /// - Returns: All elements.
    /// - Throws: What `failure` gives.
    static func values<Value: Decodable>(
        after first: Value,
        in array: Int,
        of document: JsonDocument,
        failure: (_ index: Int, _ position: Int, _ error: any Error) -> any Error
    ) throws -> [Value] {
        try runPlain(document) { context in
            let nodes = context.nodes
            let type = Value.self
            let route = context.route(of: type)
            let count = nodes.words.memberCount(at: array)
            var position = nodes.words.next(after: nodes.firstChild(of: array))
            if nodes.capacity(for: count, of: type, in: array) < count {
                return try context.grow(after: first, to: count, from: array, by: route, failure)
            }
            return try unsafe [Value](unsafeUninitializedCapacity: count) { buffer, made in
                // Bound: the array has this element, and the buffer room for `count`.
                unsafe buffer.baseAddress.unsafelyUnwrapped.initialize(to: first)
                made = 1
                while made < count {
                    // Bound: the buffer has room for `count` elements.
                    let room = unsafe UninitializedSlot(buffer.baseAddress.unsafelyUnwrapped + made)
                    do {
                        try context.fill(room, with: type, by: route, at: position, CodingPathNode())
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
    /// Makes the elements of an array that take far more memory than their text: room for them is made as they come.
    @inline(never)
    fileprivate func grow<Value: Decodable>(
        after first: Value,
        to count: Int,
        from array: Int,
        by route: DecodingFastPath,
        _ failure: (_ index: Int, _ position: Int, _ error: any Error) -> any Error
    ) throws -> [Value] {
        var values: [Value] = []
        values.reserveCapacity(nodes.capacity(for: count, of: Value.self, in: array))
        values.append(first)
        var position = nodes.words.next(after: nodes.firstChild(of: array))
        for index in 1..<count {
            do {
                values.append(try value(Value.self, by: route, at: position, CodingPathNode()))
            } catch {
                throw failure(index, position, error)
            }
            position = nodes.words.next(after: position)
        }
        return values
    }
}
