extension Array: DirectlyDecodable where Element: Decodable {
    static func decode(
        at position: Int,
        _ place: CodingPlace,
        in context: DecodingContext,
        into result: UnsafeMutableRawPointer
    ) throws {
        let nodes = context.nodes
        guard nodes.tag(at: position) == .array else {
            throw context.failure([Element].self, at: position, place.path(in: nodes))
        }
        let count = nodes.words.memberCount(at: position)
        let route = context.route(of: Element.self)
        let array = try unsafe withUnsafePointer(to: place) { outer in
            try unsafe [Element](unsafeUninitializedCapacity: count) { buffer, initialized in
                var child = nodes.firstChild(of: position)
                while initialized < count {
                    // Bound: the buffer has room for `count` elements.
                    unsafe (buffer.baseAddress.unsafelyUnwrapped + initialized)
                        .initialize(
                            to: try context.value(
                                Element.self,
                                by: route,
                                at: child,
                                unsafe CodingPlace(in: outer, index: initialized)
                            )
                        )
                    initialized &+= 1
                    child = nodes.words.next(after: child)
                }
            }
        }
        // Bound: the caller has room for a value of this type.
        unsafe result.initializeMemory(as: [Element].self, to: array)
    }
}

extension Dictionary: DirectlyDecodable, StringKeyedDictionary where Key == String, Value: Decodable {
    static func decode(
        at position: Int,
        _ place: CodingPlace,
        in context: DecodingContext,
        into result: UnsafeMutableRawPointer
    ) throws {
        let nodes = context.nodes
        guard nodes.tag(at: position) == .object else {
            throw context.failure([String: Value].self, at: position, place.path(in: nodes))
        }
        let route = context.route(of: Value.self)
        let firstWins = context.firstWins
        var dictionary: [String: Value] = [:]
        dictionary.reserveCapacity(nodes.words.memberCount(at: position))
        try unsafe withUnsafePointer(to: place) { outer in
            var key = nodes.firstChild(of: position)
            for _ in 0..<nodes.words.memberCount(at: position) {
                let name = nodes.string(at: key)
                let value = try context.value(
                    Value.self,
                    by: route,
                    at: key &+ 1,
                    unsafe CodingPlace(in: outer, keyAt: key)
                )
                if let earlier = dictionary.updateValue(value, forKey: name), firstWins { dictionary[name] = earlier }
                key = nodes.words.next(after: key &+ 1)
            }
        }
        // Bound: the caller has room for a value of this type.
        unsafe result.initializeMemory(as: [String: Value].self, to: dictionary)
    }
}

extension Optional: DirectlyDecodable where Wrapped: Decodable {
    static func decode(
        at position: Int,
        _ place: CodingPlace,
        in context: DecodingContext,
        into result: UnsafeMutableRawPointer
    ) throws {
        let isNull = context.nodes.tag(at: position) == .null
        let value: Wrapped? = isNull ? nil : try context.value(Wrapped.self, at: position, place)
        // Bound: the caller has room for a value of this type.
        unsafe result.initializeMemory(as: Wrapped?.self, to: value)
    }
}
