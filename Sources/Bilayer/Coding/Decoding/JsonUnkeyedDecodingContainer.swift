/// The result of `unkeyedContainer()`: the elements of one array, in order.
struct JsonUnkeyedDecodingContainer: UnkeyedDecodingContainer {
    private let decoder: ValueDecoder
    /// The index position of the next element. An index has fewer than 2³² words.
    private var next: UInt32
    private var elements: UInt32 = 0

    /// Makes a container at the first element of the decoder's array.
    init(_ decoder: ValueDecoder) {
        self.decoder = decoder
        next = UInt32(truncatingIfNeeded: decoder.state.context.nodes.firstChild(of: decoder.state.position))
    }

    var codingPath: [any CodingKey] { decoder.codingPath }

    var count: Int? { nodes.words.memberCount(at: decoder.state.position) }

    var isAtEnd: Bool { currentIndex >= nodes.words.memberCount(at: decoder.state.position) }

    var currentIndex: Int { Int(elements) }

    mutating func decodeNil() throws -> Bool {
        if isAtEnd { throw pastEnd(Never.self) }
        guard nodes.tag(at: position) == .null else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if isAtEnd { throw pastEnd(type) }
        let value = try decoder.state.context.value(type, at: position, node)
        advance()
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        if isAtEnd { throw pastEnd(KeyedDecodingContainer<NestedKey>.self) }
        let container = try decoder.state.context.makeChild(at: position, node).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        if isAtEnd { throw pastEnd((any UnkeyedDecodingContainer).self) }
        let container = try decoder.state.context.makeChild(at: position, node).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        if isAtEnd { throw pastEnd((any Decoder).self) }
        let child = try decoder.state.context.makeChild(at: position, node)
        advance()
        return child
    }
}

// MARK: - Positions

extension JsonUnkeyedDecodingContainer {
    @inline(__always)
    private var nodes: JsonNodes { decoder.state.context.nodes }
    @inline(__always)
    private var position: Int { Int(next) }
    @inline(__always)
    private var node: CodingPathNode { decoder.state.node(ofElement: currentIndex) }

    @inline(__always)
    private mutating func advance() {
        next = UInt32(truncatingIfNeeded: nodes.words.next(after: position))
        elements &+= 1
    }

    private func pastEnd(_ type: Any.Type) -> DecodingError {
        DecodingError.valueNotFound(
            type,
            .init(
                codingPath: node.path(in: nodes),
                debugDescription: "The array has no more than \(currentIndex) elements."
            )
        )
    }

    /// Reads the next element. After a failure the container stays at that element.
    @inline(__always)
    private mutating func element<Value>(_ read: (JsonNodes, Int) -> Value?) throws -> Value {
        if isAtEnd { throw pastEnd(Value.self) }
        guard let value = read(nodes, position) else {
            throw decoder.state.context.failure(Value.self, at: position, node.path(in: nodes))
        }
        advance()
        return value
    }

    @inline(__always)
    private mutating func floatingPoint<Value: FloatingPointValue>(_ type: Value.Type) throws -> Value {
        if isAtEnd { throw pastEnd(type) }
        let value =
            try type.read(nodes, at: position)
            ?? decoder.state.context.nonConformingFloat(type, at: position, node)
        advance()
        return value
    }
}

// MARK: - Scalars of the standard library

extension JsonUnkeyedDecodingContainer {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try element { $0.bool(at: $1) } }

    mutating func decode(_ type: String.Type) throws -> String { try element { $0.stringValue(at: $1) } }

    mutating func decode(_ type: Double.Type) throws -> Double { try floatingPoint(type) }

    mutating func decode(_ type: Float.Type) throws -> Float { try floatingPoint(type) }

    mutating func decode(_ type: Int.Type) throws -> Int { try element { $0.integerValue(Int.self, at: $1) } }

    mutating func decode(_ type: Int8.Type) throws -> Int8 { try element { $0.integerValue(Int8.self, at: $1) } }

    mutating func decode(_ type: Int16.Type) throws -> Int16 { try element { $0.integerValue(Int16.self, at: $1) } }

    mutating func decode(_ type: Int32.Type) throws -> Int32 { try element { $0.integerValue(Int32.self, at: $1) } }

    mutating func decode(_ type: Int64.Type) throws -> Int64 { try element { $0.integerValue(Int64.self, at: $1) } }

    mutating func decode(_ type: UInt.Type) throws -> UInt { try element { $0.integerValue(UInt.self, at: $1) } }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try element { $0.integerValue(UInt8.self, at: $1) } }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try element { $0.integerValue(UInt16.self, at: $1) } }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try element { $0.integerValue(UInt32.self, at: $1) } }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try element { $0.integerValue(UInt64.self, at: $1) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try element { $0.integerValue(Int128.self, at: $1) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try element { $0.integerValue(UInt128.self, at: $1) }
    }
}
