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
    var needsReport: Bool { known == nil && (Known.isFrozen || IssueLog.current != nil) }
}

extension KeyedDecodingContainer {
    /// Reads a dictionary with keys of an open enum, and reports unknown keys. The synthesized `init(from:)` calls
    /// this.
    /// - Throws: The error of a value, and ``MappingError`` for an unknown key that is refused.
    public func decode<Known: OpenEnum, Value: Decodable>(
        _ type: [Open<Known>: Value].Type,
        forKey key: Key
    ) throws -> [Open<Known>: Value] where Known.RawValue: CodingKeyRepresentable {
        try decode(OpenKeyDictionary<Open<Known>, Value>.self, forKey: key).checked(at: path(to: key))
    }

    /// Reads the dictionary; returns `nil` if it is missing or `null`.
    /// - Throws: The error of a value, and ``MappingError`` for an unknown key that is refused.
    public func decodeIfPresent<Known: OpenEnum, Value: Decodable>(
        _ type: [Open<Known>: Value].Type,
        forKey key: Key
    ) throws -> [Open<Known>: Value]? where Known.RawValue: CodingKeyRepresentable {
        try decodeIfPresent(OpenKeyDictionary<Open<Known>, Value>.self, forKey: key)?.checked(at: path(to: key))
    }
}

/// A dictionary that is read by its own `init(from:)`, not by the functions above.
private struct OpenKeyDictionary<Key: Hashable & Decodable & CodingKeyRepresentable, Value: Decodable> {
    let members: [Key: Value]
    /// Whether the keys were checked when the dictionary was read.
    var areKeysChecked = false
}

extension OpenKeyDictionary: Decodable {
    init(from decoder: any Decoder) throws {
        members = try [Key: Value](from: decoder)
    }
}

extension OpenKeyDictionary: SalvagedCollection {
    static func salvaged(from decoder: any Decoder) throws -> Self {
        // The decoder leaves out whole members, and checks the keys itself.
        Self(members: try decoder.singleValueContainer().decode([Key: Value].self), areKeysChecked: true)
    }
}

extension OpenKeyDictionary: ErrorSearchable {
    static func searched(from decoder: any Decoder) throws -> SearchResult<Any>? {
        try [Key: Value].searched(from: decoder)?
            .map { ($0 as? [Key: Value]).map { Self(members: $0, areKeysChecked: true) } }
    }
}

extension OpenKeyDictionary where Key: CheckedKey {
    func checked(at path: @autoclosure () -> JsonPath) throws -> [Key: Value] {
        if !areKeysChecked { try members.checkKeys(at: path()) }
        return members
    }
}
