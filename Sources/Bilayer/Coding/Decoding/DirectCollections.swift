// Collections made without their own `Codable` conformances: of known size, and without a container in between.

extension Array: DirectlyDecodable where Element: Decodable {
    static func decode(at position: Int, _ place: CodingPathNode, in context: DecodingContext) throws -> [Element] {
        let nodes = context.nodes
        guard nodes.tag(at: position) == .array else {
            throw context.failure([Element].self, at: position, place.path(in: nodes))
        }
        let count = nodes.words.memberCount(at: position)
        let route = context.route(of: Element.self)
        if case .doubles = route, let lists = nodes.doubleLists(at: position) {
            // Bound: the route was chosen because the element is that very type.
            return unsafe unsafeBitCast(lists, to: [Element].self)
        }
        var child = nodes.firstChild(of: position)
        let (mark, outer) = try unsafe context.enterCollection(at: position, place)
        defer { context.leave(mark) }
        if nodes.capacity(for: count, of: Element.self, in: position) < count {
            return try unsafe grow(to: count, from: position, by: route, in: context, outer)
        }
        return try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                // Bound: the buffer has room for `count` elements.
                let element = unsafe UninitializedSlot(buffer.baseAddress.unsafelyUnwrapped + initialized)
                let place = unsafe CodingPathNode(in: outer, index: initialized)
                if case .plain = route {
                    unsafe element.fill(try context.makeValue(Element.self, at: child, place))
                } else {
                    try context.fill(element, with: Element.self, by: route, at: child, place)
                }
                initialized &+= 1
                child = nodes.words.next(after: child)
            }
        }
    }
}

extension Array where Element: Decodable {
    /// Makes an array whose elements take far more memory than their text: room for them is made as they come.
    ///
    /// Bound: `outer` is the place of the array, and valid for the length of the call.
    @unsafe
    @inline(never)
    private static func grow(
        to count: Int,
        from position: Int,
        by route: DecodingFastPath,
        in context: DecodingContext,
        _ outer: UnsafePointer<CodingPathNode>
    ) throws -> [Element] {
        let nodes = context.nodes
        var elements: [Element] = []
        elements.reserveCapacity(nodes.capacity(for: count, of: Element.self, in: position))
        var child = nodes.firstChild(of: position)
        for index in 0..<count {
            let place = unsafe CodingPathNode(in: outer, index: index)
            elements.append(try context.value(Element.self, by: route, at: child, place))
            child = nodes.words.next(after: child)
        }
        return elements
    }
}

extension Dictionary: DirectlyDecodable, StringKeyedDictionary where Key == String, Value: Decodable {
    static func decode(at position: Int, _ place: CodingPathNode, in context: DecodingContext) throws -> [String: Value]
    {
        let nodes = context.nodes
        guard nodes.tag(at: position) == .object else {
            throw context.failure([String: Value].self, at: position, place.path(in: nodes))
        }
        let route = context.route(of: Value.self)
        let firstWins = context.firstWins
        let count = nodes.words.memberCount(at: position)
        var dictionary: [String: Value] = [:]
        dictionary.reserveCapacity(nodes.tableCapacity(for: count, of: Value.self, in: position))
        var lastPositions: [JsonKey: Int]?
        var key = nodes.firstChild(of: position)
        let (mark, outer) = try unsafe context.enterCollection(at: position, place)
        defer { context.leave(mark) }
        for _ in 0..<count {
            let name = nodes.string(at: key)
            do {
                let value = try context.value(
                    Value.self,
                    by: route,
                    at: key &+ 1,
                    unsafe CodingPathNode(in: outer, keyAt: key)
                )
                if let earlier = dictionary.updateValue(value, forKey: name), firstWins { dictionary[name] = earlier }
            } catch {
                // Of members with the same key only one counts, and the others may be anything.
                if firstWins {
                    if dictionary[name] == nil { throw error }
                } else {
                    let positions = lastPositions ?? nodes.memberPositions(of: position, lastWins: true)
                    if positions[JsonKey(text: name)] == key &+ 1 { throw error }
                    lastPositions = positions
                }
            }
            key = nodes.words.next(after: key &+ 1)
        }
        return dictionary
    }
}

extension Optional: DirectlyDecodable where Wrapped: Decodable {
    static func decode(at position: Int, _ place: CodingPathNode, in context: DecodingContext) throws -> Wrapped? {
        context.nodes.tag(at: position) == .null ? nil : try context.value(Wrapped.self, at: position, place)
    }
}
