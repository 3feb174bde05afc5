/// The decoder of one value in a search for errors (``ErrorSearch``). It is its own single-value container.
///
/// The errors of values that a type reads from a keyed or single-value container are collected. In an unkeyed or nested
/// container, or in a `superDecoder()`, the reading ends at the first error.
struct SearchDecoder: WrappingDecoder, SingleValueDecodingContainer {
    let base: any Decoder
    let frame: SearchFrame
    private let search: ErrorSearch

    init(_ base: any Decoder, _ frame: SearchFrame, _ search: ErrorSearch) {
        self.base = base
        self.frame = frame
        self.search = search
    }

    var codingPath: [any CodingKey] { base.codingPath }
    var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

    func container<Key: CodingKey>(keyedBy keys: Key.Type) throws -> KeyedDecodingContainer<Key> {
        frame.open(keys)
        let container = try noting { try base.container(keyedBy: keys) }
        return KeyedDecodingContainer(SearchKeyedContainer(container, self, search))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        frame.isPlain = false
        return try noting { try base.unkeyedContainer() }
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { (try? base.singleValueContainer())?.decodeNil() ?? false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        frame.isPlain = false
        let id = FieldRequestID(Never.self, "", type, isOptional: false)
        search.discount(frame.discountCaught())
        return try frame.value(of: id, isNested: !search.isLeaf(type)) {
            let inner = (base as? RecordingDecoder)?.reading(type) ?? base
            return try search.read(type, of: inner, needingValue: frame.needsPlaceholders)
        }
    }

    /// Makes a value from the decoder's JSON, as the wrapped decoder would.
    func make<Value: Decodable>(_ type: Value.Type) throws -> Value {
        do {
            let value = try Value(from: self)
            if type is any CheckedKeyDictionary.Type {
                try (value as? any CheckedKeyDictionary)?.checkKeys(at: JsonPath(codingPath))
            }
            return value
        } catch {
            throw MappingError.located(error, inValueAt: JsonPath(codingPath))
        }
    }

    /// Accepts all keys of the value and of its nested containers. Called for an object whose reading ended early or
    /// used placeholders, because the object's type may know the keys that were not read.
    func acceptUnknownKeys() { (base as? RecordingDecoder)?.acceptAllKeys(ofValue: frame.opensObject) }

    /// Makes a container. If that fails, records the error, for which there is no placeholder.
    private func noting<Container>(_ make: () throws -> Container) throws -> Container {
        do {
            return try make()
        } catch {
            let id = FieldRequestID(Never.self, "", Container.self, isOptional: false)
            let failure = try search.failure(error, of: Container.self, at: JsonPath(codingPath))
            frame.record(FailedFieldRequest(id: id, failure: failure, isNested: false))
            throw error
        }
    }
}

private struct SearchKeyedContainer<Key: CodingKey>: OptionalReading {
    private let base: KeyedDecodingContainer<Key>
    private let decoder: SearchDecoder
    private let search: ErrorSearch

    init(_ base: KeyedDecodingContainer<Key>, _ decoder: SearchDecoder, _ search: ErrorSearch) {
        self.base = base
        self.decoder = decoder
        self.search = search
    }

    private var frame: SearchFrame { decoder.frame }

    var codingPath: [any CodingKey] { base.codingPath }

    var allKeys: [Key] {
        frame.isPlain = false
        return base.allKeys
    }

    func contains(_ key: Key) -> Bool {
        frame.lookFor(key.stringValue)
        if let hidden = frame.hidden, hidden.key == key.stringValue { return hidden.isNull }
        return frame.presumes(key.stringValue) || base.contains(key)
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        frame.lookFor(key.stringValue)
        if frame.hidden?.key == key.stringValue { return true }
        if frame.presumes(key.stringValue) { return false }
        return try base.decodeNil(forKey: key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if type == MemberGlance.self {
            search.discount(frame.tolerate(key.stringValue))
            return try base.decode(type, forKey: key)
        }
        let request = KeyedFieldRequest<Key, Value>(key: key, isOptional: false)
        add(request)
        try frame.check(request.id)
        // Looking for the member reports keys that clash. A clash is an issue of the object, so it stays if the type
        // discards the error of the value.
        if !frame.hasResult(of: request.id) { _ = base.contains(key) }
        return try frame.value(of: request.id, isNested: isNested(type)) { try read(type, forKey: key) }
    }

    func optional<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        let request = KeyedFieldRequest<Key, Value>(key: key, isOptional: true)
        add(request)
        if frame.hidden?.key == key.stringValue { return nil }
        try frame.check(request.id)
        guard base.contains(key) else { return nil }
        if let isNil = try? base.decodeNil(forKey: key), isNil { return nil }
        return try frame.value(of: request.id, isNested: isNested(type)) {
            try read(type, forKey: key).optional(search)
        }
    }

    private func isNested(_ type: Any.Type) -> Bool { !search.isLeaf(type) }

    private func add(_ request: any FieldRequest) {
        search.discount(frame.discountCaught())
        frame.add(request)
    }

    private func read<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> SearchResult<Value> {
        // At the limit, values are read only to find out whether the type can be read to its end.
        guard isNested(type), base.contains(key), !(search.usedPlaceholders && search.isFull) else {
            return try search.leaf(type, at: decoder) { try base.decode(type, forKey: key) }
        }
        var inner: any Decoder
        do {
            inner = try base.superDecoder(forKey: key)
        } catch {
            // A key may be a path, which may lead through a value that is no container.
            return .failure(try search.failure(error, of: type, at: JsonPath(codingPath)))
        }
        if let recording = inner as? RecordingDecoder { inner = recording.reading(type) }
        return try search.read(type, of: inner, needingValue: frame.needsPlaceholders)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keys: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        frame.isPlain = false
        return try base.nestedContainer(keyedBy: keys, forKey: key)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        frame.isPlain = false
        return try base.nestedUnkeyedContainer(forKey: key)
    }

    func superDecoder() throws -> any Decoder {
        frame.isPlain = false
        return try base.superDecoder()
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        frame.isPlain = false
        return try base.superDecoder(forKey: key)
    }
}
