/// The result of `container(keyedBy:)`: the members of one object.
///
/// `Holder` is what keeps the container's state alive. With ``NoHolder`` the state belongs to the session, so the
/// container is one word without reference counts. The standard library's box copies only this word for each call. With
/// ``KeyedDecodingHolder`` the container owns its state, for a container that cannot be reused.
///
/// The methods that make values are inlined into the protocol witnesses that the box calls. This saves one call per
/// value.
struct JsonKeyedDecodingContainer<Key: CodingKey, Holder>: KeyedDecodingContainerProtocol {
    let reader: KeyedReader
    let holder: Holder

    var codingPath: [any CodingKey] { reader.path }

    var allKeys: [Key] { reader.listAll(as: Key.self) }

    func contains(_ key: Key) -> Bool { reader.find(key) >= 0 }

    func decodeNil(forKey key: Key) throws -> Bool {
        try reader.nodes.tag(at: reader.position(of: key)) == .null
    }

    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(type, of: key, at: reader.position(of: key))
    }

    @inline(__always)
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let position = reader.presentPosition(of: key) else { return nil }
        if reader.context.isTolerant { return try tolerantValue(type, of: key, at: position) }
        return try value(type, of: key, at: position)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try child(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try child(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try reader.superDecoder() }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        let position = reader.find(key)
        return position < 0 ? reader.decoderOfNull(at: key) : try reader.child(key, at: position)
    }
}

// MARK: - Values of any type

extension JsonKeyedDecodingContainer {
    @inline(__always)
    private func value<Value: Decodable>(_ type: Value.Type, of key: Key, at position: Int) throws -> Value {
        try reader.withNode(of: key) { node in try reader.context.value(type, at: position, node) }
    }

    /// Returns a decoder for a member's value.
    private func child(_ key: Key) throws -> ValueDecoder {
        try reader.child(key, at: reader.position(of: key))
    }

    @inline(never)
    private func tolerantValue<Value: Decodable>(_ type: Value.Type, of key: Key, at position: Int) throws -> Value? {
        try reader.context.optionalValue(type, at: reader.path(to: key)) {
            try value(type, of: key, at: position)
        }
    }
}

// MARK: - Scalars of the standard library

extension JsonKeyedDecodingContainer {
    @inline(__always)
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try reader.required(key) { $0.bool(at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try reader.optional(key) { $0.bool(at: $1) }
    }

    @inline(__always)
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try reader.required(key) { $0.stringValue(at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try reader.optional(key) { $0.stringValue(at: $1) }
    }

    @inline(__always)
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try floatingPoint(type, key, at: reader.position(of: key))
    }

    @inline(__always)
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let position = reader.presentPosition(of: key) else { return nil }
        return try optionalFloatingPoint(type, key, at: position)
    }

    @inline(__always)
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try floatingPoint(type, key, at: reader.position(of: key))
    }

    @inline(__always)
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let position = reader.presentPosition(of: key) else { return nil }
        return try optionalFloatingPoint(type, key, at: position)
    }

    @inline(__always)
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try reader.required(key) { $0.integerValue(Int.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try reader.optional(key) { $0.integerValue(Int.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try reader.required(key) { $0.integerValue(Int8.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try reader.optional(key) { $0.integerValue(Int8.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try reader.required(key) { $0.integerValue(Int16.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try reader.optional(key) { $0.integerValue(Int16.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try reader.required(key) { $0.integerValue(Int32.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try reader.optional(key) { $0.integerValue(Int32.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try reader.required(key) { $0.integerValue(Int64.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try reader.optional(key) { $0.integerValue(Int64.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try reader.required(key) { $0.integerValue(UInt.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try reader.optional(key) { $0.integerValue(UInt.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try reader.required(key) { $0.integerValue(UInt8.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try reader.optional(key) { $0.integerValue(UInt8.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try reader.required(key) { $0.integerValue(UInt16.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try reader.optional(key) { $0.integerValue(UInt16.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try reader.required(key) { $0.integerValue(UInt32.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try reader.optional(key) { $0.integerValue(UInt32.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try reader.required(key) { $0.integerValue(UInt64.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try reader.optional(key) { $0.integerValue(UInt64.self, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try reader.required(key) { $0.integerValue(Int128.self, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try reader.optional(key) { $0.integerValue(Int128.self, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try reader.required(key) { $0.integerValue(UInt128.self, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try reader.optional(key) { $0.integerValue(UInt128.self, at: $1) }
    }

    @inline(__always)
    private func floatingPoint<Value: FloatingPointValue>(
        _ type: Value.Type,
        _ key: Key,
        at position: Int
    ) throws -> Value {
        if let value = type.read(reader.nodes, at: position) { return value }
        return try reader.withNode(of: key) { node in
            try reader.context.nonConformingFloat(type, at: position, node)
        }
    }

    @inline(__always)
    private func optionalFloatingPoint<Value: FloatingPointValue>(
        _ type: Value.Type,
        _ key: Key,
        at position: Int
    ) throws -> Value? {
        if let value = type.read(reader.nodes, at: position) { return value }
        return try reader.context.optionalValue(type, at: reader.path(to: key)) {
            try floatingPoint(type, key, at: position)
        }
    }
}
