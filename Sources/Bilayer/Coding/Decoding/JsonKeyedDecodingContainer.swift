/// The result of `container(keyedBy:)`: the members of one object.
///
/// With ``NoHolder`` the whole container is one word without reference counts, which the standard library's box copies
/// for each call. With ``KeyedDecodingHolder`` it owns its state.
///
/// The methods that make values are inlined into the protocol witnesses that the box calls. This saves one call per
/// value.
struct JsonKeyedDecodingContainer<Key: CodingKey, Holder>: KeyedDecodingContainerProtocol {
    let reader: KeyedReader
    let holder: Holder

    var codingPath: [any CodingKey] { reader.path }

    var allKeys: [Key] { reader.allNames.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { reader.find(key) >= 0 }

    func decodeNil(forKey key: Key) throws -> Bool {
        try reader.nodes.tag(at: position(of: key)) == .null
    }

    @inline(__always)
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(type, of: key, at: position(of: key))
    }

    @inline(__always)
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let position = presentPosition(of: key) else { return nil }
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

    func superDecoder() throws -> any Decoder {
        try reader.superDecoder(PathKey.super)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try reader.superDecoder(key)
    }
}

// MARK: - Positions

extension JsonKeyedDecodingContainer {
    /// The index position of a member's value.
    @inline(__always)
    private func position(of key: Key) throws -> Int {
        let position = reader.find(key)
        if position < 0 { throw failure(Key.self, key, at: position) }
        return position
    }

    /// The position of a member's value; nil if it is missing or `null`.
    @inline(__always)
    private func presentPosition(of key: Key) -> Int? {
        let position = reader.find(key)
        return position < 0 || reader.nodes.tag(at: position) == .null ? nil : position
    }

    @inline(__always)
    private func value<Value: Decodable>(_ type: Value.Type, of key: Key, at position: Int) throws -> Value {
        try reader.withNode(of: key) { node in try reader.context.value(type, at: position, node) }
    }

    /// A decoder for a member's value.
    private func child(_ key: Key) throws -> ValueDecoder {
        let position = try position(of: key)
        return try reader.child(key, at: position)
    }

    @inline(__always)
    private func required<Value>(_ key: Key, _ read: (JsonNodes, Int) -> Value?) throws -> Value {
        let position = reader.find(key)
        if position >= 0, let value = read(reader.nodes, position) { return value }
        throw failure(Value.self, key, at: position)
    }

    @inline(__always)
    private func optional<Value>(_ key: Key, _ read: (JsonNodes, Int) -> Value?) throws -> Value? {
        guard let position = presentPosition(of: key) else { return nil }
        if let value = read(reader.nodes, position) { return value }
        return try unreadable(Value.self, key, at: position)
    }

    /// Leaves out an unfit scalar in a tolerant call.
    @inline(never)
    private func unreadable<Value>(_ type: Value.Type, _ key: Key, at position: Int) throws -> Value? {
        let error = reader.failure(type, key, at: position)
        return try reader.context.optionalValue(type, at: reader.path(to: key)) { throw error }
    }

    @inline(never)
    private func tolerantValue<Value: Decodable>(_ type: Value.Type, of key: Key, at position: Int) throws -> Value? {
        try reader.context.optionalValue(type, at: reader.path(to: key)) {
            try value(type, of: key, at: position)
        }
    }

    /// Returns the error for a missing or unfit value. A separate function keeps the callers small.
    @inline(never)
    private func failure(_ type: Any.Type, _ key: Key, at position: Int) -> any Error {
        position < 0 ? reader.missing(key) : reader.failure(type, key, at: position)
    }
}

// MARK: - Values without a type of their own

extension JsonKeyedDecodingContainer {
    @inline(__always)
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try required(key) { $0.bool(at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try optional(key) { $0.bool(at: $1) }
    }

    @inline(__always)
    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try required(key) { $0.stringValue(at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try optional(key) { $0.stringValue(at: $1) }
    }

    @inline(__always)
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try floatingPoint(type, key, at: position(of: key))
    }

    @inline(__always)
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let position = presentPosition(of: key) else { return nil }
        return try optionalFloatingPoint(type, key, at: position)
    }

    @inline(__always)
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try floatingPoint(type, key, at: position(of: key))
    }

    @inline(__always)
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let position = presentPosition(of: key) else { return nil }
        return try optionalFloatingPoint(type, key, at: position)
    }

    @inline(__always)
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try required(key) { $0.integerValue(Int.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try optional(key) { $0.integerValue(Int.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
        try required(key) { $0.integerValue(Int8.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try optional(key) { $0.integerValue(Int8.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
        try required(key) { $0.integerValue(Int16.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try optional(key) { $0.integerValue(Int16.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
        try required(key) { $0.integerValue(Int32.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try optional(key) { $0.integerValue(Int32.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
        try required(key) { $0.integerValue(Int64.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try optional(key) { $0.integerValue(Int64.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
        try required(key) { $0.integerValue(UInt.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try optional(key) { $0.integerValue(UInt.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
        try required(key) { $0.integerValue(UInt8.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try optional(key) { $0.integerValue(UInt8.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
        try required(key) { $0.integerValue(UInt16.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try optional(key) { $0.integerValue(UInt16.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
        try required(key) { $0.integerValue(UInt32.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try optional(key) { $0.integerValue(UInt32.self, at: $1) }
    }

    @inline(__always)
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
        try required(key) { $0.integerValue(UInt64.self, at: $1) }
    }

    @inline(__always)
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try optional(key) { $0.integerValue(UInt64.self, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
        try required(key) { $0.integerValue(Int128.self, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try optional(key) { $0.integerValue(Int128.self, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try required(key) { $0.integerValue(UInt128.self, at: $1) }
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @inline(__always)
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try optional(key) { $0.integerValue(UInt128.self, at: $1) }
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
