/// A decoder that wraps another decoder and records the requested keys. It is its own single-value container.
struct RecordingDecoder: WrappingDecoder, TolerantDecoder, SingleValueDecodingContainer {
    let base: any Decoder
    private let record: KeyRecord
    private let type: Any.Type
    /// The scope of the value. A nested container or a `superDecoder()` has the scope of the value around it.
    private let scope: KeyRecord.Scope
    /// Whether the decoder is that of a nested container, or a `superDecoder()`.
    private let isPart: Bool

    /// Makes the decoder of a value. With the `scope` of a value, makes the decoder of one of its nested containers, or
    /// its `superDecoder()`.
    init(_ base: any Decoder, _ record: KeyRecord, type: Any.Type, in scope: KeyRecord.Scope? = nil) {
        self.base = base
        self.record = record
        self.type = type
        self.scope = scope ?? record.beginScope()
        isPart = scope != nil
    }

    /// Returns the decoder for a value of another type at the same path.
    func reading(_ type: Any.Type) -> RecordingDecoder { RecordingDecoder(base, record, type: type) }

    /// Treats all keys of the value's nested containers as requested. Called where the read keys are not all known.
    /// - Parameter opensObject: Whether the keys of the value itself count as well.
    func acceptAllKeys(ofValue opensObject: Bool) {
        record.acceptAllKeys(at: opensObject ? JsonPath(codingPath) : nil, in: scope)
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }
    var tolerance: (any DecodingTolerance)? { record.tolerance }

    func container<Key: CodingKey>(keyedBy keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        if let memberPaths = MemberPaths.of(keys) {
            return KeyedDecodingContainer(
                PathReading(
                    try container(keyedBy: PathStep.self),
                    memberPaths,
                    tolerance: record.tolerance
                )
            )
        }
        let container = try named { try base.container(keyedBy: keys) }
        // The levels of a key that is a path do not count as parts: a failure belongs to the value at the path's end.
        let isPart = isPart && keys != PathStep.self
        let object = try record.open(JsonPath(codingPath), as: type, in: scope, isPart: isPart) {
            try Json(from: base)
        } keys: {
            // Under a naming, `allKeys` returns property names. The JSON itself has the keys.
            if record.naming != nil { return try Json(from: base).effectiveMembers.map(\.key) }
            return try base.container(keyedBy: PathKey.self).allKeys.map(\.stringValue)
        }
        return KeyedDecodingContainer(
            RecordingKeyedContainer(container, record, type: type, in: scope, object, isPart: isPart)
        )
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        RecordingUnkeyedContainer(
            try named { try base.unkeyedContainer() },
            record,
            type: type,
            in: scope,
            isPart: isPart
        )
    }

    /// Makes a container. For a collection that the wrapped decoder makes directly, the error has the collection's
    /// type.
    private func named<Container>(_ make: () throws -> Container) throws -> Container {
        type is any DirectlyDecodable.Type ? try naming(type, make) : try make()
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { (try? base.singleValueContainer())?.decodeNil() ?? false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if record.isLeaf(type) { return try base.singleValueContainer().decode(type) }
        return try RecordingDecoder(base, record, type: type).make(type)
    }

    /// Makes a value from the decoder's JSON, as the wrapped decoder would.
    fileprivate func make<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if record.tolerance != nil, let collection = type as? any SalvagedCollection.Type, collection.isSalvaged,
            let value = try collection.salvaged(from: self) as? Value
        {
            return value
        }
        let mark = record.mark
        let issues = IssueLog.current?.mark ?? .start
        let value: Value
        do {
            value = try Value(from: self)
            if type is any CheckedKeyDictionary.Type {
                try (value as? any CheckedKeyDictionary)?.checkKeys(at: JsonPath(codingPath))
            }
        } catch let thrown {
            let error = MappingError.located(thrown, inValueAt: JsonPath(codingPath))
            record.take(since: mark)
            if let log = IssueLog.current {
                log.setAside(since: issues, failedBy: error)
                log.setOwner(since: issues, inside: JsonPath(codingPath), by: ownerName(of: type))
                log.note(error, of: type, at: JsonPath(codingPath))
            }
            throw error
        }
        IssueLog.current?.setOwner(since: issues, inside: JsonPath(codingPath), by: ownerName(of: type))
        return value
    }
}

private struct RecordingKeyedContainer<Key: CodingKey>: OptionalReading {
    private let base: KeyedDecodingContainer<Key>
    private let record: KeyRecord
    private let type: Any.Type
    private let scope: KeyRecord.Scope
    private let object: Int
    private let isPart: Bool

    init(
        _ base: KeyedDecodingContainer<Key>,
        _ record: KeyRecord,
        type: Any.Type,
        in scope: KeyRecord.Scope,
        _ object: Int,
        isPart: Bool
    ) {
        self.base = base
        self.record = record
        self.type = type
        self.scope = scope
        self.object = object
        self.isPart = isPart
    }

    var codingPath: [any CodingKey] { base.codingPath }

    var allKeys: [Key] {
        record.acceptAllKeys(of: object)
        return base.allKeys
    }

    func contains(_ key: Key) -> Bool { recording(key).contains(key) }

    func decodeNil(forKey key: Key) throws -> Bool { try noting { try recording(key).decodeNil(forKey: key) } }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try noting { try value(type, forKey: key) }
    }

    private func value<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        let base = recording(key)
        if record.isLeaf(type) || !base.contains(key) { return try base.decode(type, forKey: key) }
        return try RecordingDecoder(base.superDecoder(forKey: key), record, type: type).make(type)
    }

    func optional<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let read = {
            guard contains(key), try !recording(key).decodeNil(forKey: key) else { return Value?.none }
            return try value(type, forKey: key)
        }
        return try noting {
            guard let tolerance = record.tolerance else { return try read() }
            return try tolerance.optional(Value?.self, at: path(to: key), read) ?? nil
        }
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keys: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let base = recording(key)
        return try noting {
            guard base.contains(key) else { return try base.nestedContainer(keyedBy: keys, forKey: key) }
            return try RecordingDecoder(base.superDecoder(forKey: key), record, type: type, in: scope)
                .container(keyedBy: keys)
        }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        RecordingUnkeyedContainer(
            try noting { try recording(key).nestedUnkeyedContainer(forKey: key) },
            record,
            type: type,
            in: scope,
            isPart: true
        )
    }

    func superDecoder() throws -> any Decoder {
        record.request("super", of: object)
        return RecordingDecoder(try noting { try base.superDecoder() }, record, type: type, in: scope)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        let decoder = try noting { try recording(key).superDecoder(forKey: key) }
        return RecordingDecoder(decoder, record, type: type, in: scope)
    }

    /// Records the failure of a reading, if the container is nested. It cannot be seen whether a type discards the
    /// error of one member or the whole nested value. So the keys of a nested value that was not read to its end are
    /// not called unknown.
    private func noting<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            if isPart { record.recordFailure(at: JsonPath(codingPath), in: scope) }
            throw error
        }
    }

    /// Returns the coding path of a member. For a key with several paths, it is the path at which the value was found.
    private func path(to key: Key) -> [any CodingKey] {
        (try? base.superDecoder(forKey: key))?.codingPath ?? codingPath + [key]
    }

    private func recording(_ key: Key) -> KeyedDecodingContainer<Key> {
        record.request(key.stringValue, of: object)
        return base
    }
}

private struct RecordingUnkeyedContainer: UnkeyedDecodingContainer {
    private var base: any UnkeyedDecodingContainer
    private let record: KeyRecord
    private let type: Any.Type
    private let scope: KeyRecord.Scope
    private let isPart: Bool

    init(
        _ base: any UnkeyedDecodingContainer,
        _ record: KeyRecord,
        type: Any.Type,
        in scope: KeyRecord.Scope,
        isPart: Bool
    ) {
        self.base = base
        self.record = record
        self.type = type
        self.scope = scope
        self.isPart = isPart
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int? { base.count }
    var isAtEnd: Bool { base.isAtEnd }
    var currentIndex: Int { base.currentIndex }

    mutating func decodeNil() throws -> Bool { try base.decodeNil() }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try restoringOnFailure { [record] base in
            if record.isLeaf(type) || base.isAtEnd { return try base.decode(type) }
            return try RecordingDecoder(base.superDecoder(), record, type: type).make(type)
        }
    }

    /// Reads the next element. After a failure the container stays at that element, as other containers do.
    private mutating func restoringOnFailure<Value>(
        _ take: (inout any UnkeyedDecodingContainer) throws -> Value
    ) rethrows -> Value {
        let before = base
        if isPart { record.continueReading(at: JsonPath(before.codingPath)) }
        do {
            return try take(&base)
        } catch {
            base = before
            if isPart { record.recordFailure(at: JsonPath(before.codingPath), in: scope) }
            throw error
        }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keys: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try restoringOnFailure { [record, type, scope] base in
            if base.isAtEnd { return try base.nestedContainer(keyedBy: keys) }
            return try RecordingDecoder(base.superDecoder(), record, type: type, in: scope).container(keyedBy: keys)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        RecordingUnkeyedContainer(try base.nestedUnkeyedContainer(), record, type: type, in: scope, isPart: true)
    }

    mutating func superDecoder() throws -> any Decoder {
        RecordingDecoder(try base.superDecoder(), record, type: type, in: scope)
    }
}
