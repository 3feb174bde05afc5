extension Open: CodingKeyRepresentable where Known.RawValue: CodingKeyRepresentable {
    /// The coding key of the raw value.
    public var codingKey: any CodingKey { rawValue.codingKey }

    /// Makes the value from a key.
    public init?(codingKey: some CodingKey) {
        guard let rawValue = Known.RawValue(codingKey: codingKey) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension Open: CheckedKey where Known.RawValue: CodingKeyRepresentable {
    var isNotable: Bool { known == nil && (Known.isFrozen || IssueLog.current != nil) }
}

extension KeyedDecodingContainer {
    /// Reads a dictionary with keys of an open enum, and reports unknown ones. The synthesized `init(from:)` calls
    /// this.
    public func decode<Known: OpenEnum, Value: Decodable>(
        _ type: [Open<Known>: Value].Type,
        forKey key: Key
    ) throws -> [Open<Known>: Value] where Known.RawValue: CodingKeyRepresentable {
        let members = try decode(DictionaryBox<Open<Known>, Value>.self, forKey: key).members
        try members.checkKeys(at: path(to: key))
        return members
    }

    /// Reads the dictionary; nil if it is missing or `null`.
    public func decodeIfPresent<Known: OpenEnum, Value: Decodable>(
        _ type: [Open<Known>: Value].Type,
        forKey key: Key
    ) throws -> [Open<Known>: Value]? where Known.RawValue: CodingKeyRepresentable {
        guard let members = try decodeIfPresent(DictionaryBox<Open<Known>, Value>.self, forKey: key)?.members else {
            return nil
        }
        try members.checkKeys(at: path(to: key))
        return members
    }
}

/// Calls the dictionary's own `init(from:)`, not the functions above.
private struct DictionaryBox<Key: Hashable & Decodable, Value: Decodable>: Decodable {
    let members: [Key: Value]

    init(from decoder: any Decoder) throws {
        members = try [Key: Value](from: decoder)
    }
}
