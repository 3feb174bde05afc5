extension ValueDecoder: Decoder, SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { state.path }

    var userInfo: [CodingUserInfoKey: Any] { state.context.settings.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard state.context.nodes.tag(at: state.position) == .object else {
            throw failure(KeyedDecodingContainer<Key>.self)
        }
        return state.keyedContainer(type, of: self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard state.context.nodes.tag(at: state.position) == .array else {
            throw failure((any UnkeyedDecodingContainer).self)
        }
        return JsonUnkeyedDecodingContainer(self)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { state.context.nodes.tag(at: state.position) == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try state.context.value(type, at: state.position, state.place)
    }

    private func failure(_ type: Any.Type) -> DecodingError {
        state.context.failure(type, at: state.position, codingPath)
    }

    @inline(__always)
    private func value<Value>(_ read: (JsonNodes, Int) -> Value?) throws -> Value {
        if let value = read(state.context.nodes, state.position) { return value }
        throw failure(Value.self)
    }

    @inline(__always)
    private func floatingPoint<Value: FloatingPointValue>(_ type: Value.Type) throws -> Value {
        try type.read(state.context.nodes, at: state.position)
            ?? state.context.nonConformingFloat(type, at: state.position, state.place)
    }
}

// MARK: - Values without a type of their own

extension ValueDecoder {
    func decode(_ type: Bool.Type) throws -> Bool { try value { $0.bool(at: $1) } }

    func decode(_ type: String.Type) throws -> String { try value { $0.stringValue(at: $1) } }

    func decode(_ type: Double.Type) throws -> Double { try floatingPoint(type) }

    func decode(_ type: Float.Type) throws -> Float { try floatingPoint(type) }

    func decode(_ type: Int.Type) throws -> Int { try value { $0.integerValue(Int.self, at: $1) } }

    func decode(_ type: Int8.Type) throws -> Int8 { try value { $0.integerValue(Int8.self, at: $1) } }

    func decode(_ type: Int16.Type) throws -> Int16 { try value { $0.integerValue(Int16.self, at: $1) } }

    func decode(_ type: Int32.Type) throws -> Int32 { try value { $0.integerValue(Int32.self, at: $1) } }

    func decode(_ type: Int64.Type) throws -> Int64 { try value { $0.integerValue(Int64.self, at: $1) } }

    func decode(_ type: UInt.Type) throws -> UInt { try value { $0.integerValue(UInt.self, at: $1) } }

    func decode(_ type: UInt8.Type) throws -> UInt8 { try value { $0.integerValue(UInt8.self, at: $1) } }

    func decode(_ type: UInt16.Type) throws -> UInt16 { try value { $0.integerValue(UInt16.self, at: $1) } }

    func decode(_ type: UInt32.Type) throws -> UInt32 { try value { $0.integerValue(UInt32.self, at: $1) } }

    func decode(_ type: UInt64.Type) throws -> UInt64 { try value { $0.integerValue(UInt64.self, at: $1) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try value { $0.integerValue(Int128.self, at: $1) } }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try value { $0.integerValue(UInt128.self, at: $1) } }
}
