// What the free conformances of `Codable` types do.

extension Json {
    /// Reads a value by its `Codable` conformance, as the mapping in progress says.
    func decodeCodable<Value: Decodable>(unknownKeys choice: MappingPolicy.UnknownKeys? = nil) throws -> Value {
        guard let session = MappingSession.current else {
            return try decodeCodable(unknownKeys: choice ?? .ignore, using: .plain)
        }
        let mark = session.mark
        let unknownKeys = choice ?? session.policy.unknownKeys
        do {
            let value: Value
            do {
                value = try decodeCodable(unknownKeys: unknownKeys, using: session.decoder)
            } catch is MappingError where session.policy.wantsMoreThanTheFirstError {
                var reading = TolerantReading<Value>(self, in: session, since: mark, unknownKeys: unknownKeys)
                value = try reading.read()
            }
            try session.settleNames(since: mark, in: self)
            return value
        } catch let error as MappingError {
            throw session.spelling.named(error, in: self)
        }
    }

    private func decodeCodable<Value: Decodable>(
        unknownKeys: MappingPolicy.UnknownKeys,
        using decoder: JsonDecoder
    ) throws -> Value {
        do {
            if unknownKeys == .ignore { return try decode(Value.self, using: decoder) }
            let (value, unknown) = try decodeWatched(Value.self, unknownKeys, using: decoder)
            try MappingIssue.settle(unknown)
            return value
        } catch let error as DecodingError {
            throw MappingError(error, in: self, owner: Value.self)
        } catch let error as MappingError {
            throw MappingError.owned(error, by: typeName(Value.self))
        }
    }

    /// Writes a value by its `Codable` conformance, as the mapping in progress says.
    init(entry: some Encodable) throws {
        guard let session = MappingSession.current else {
            try self.init(encoding: entry, using: .plain)
            return
        }
        let mark = session.mark
        try self.init(encoding: entry, using: session.encoder)
        try session.settleNames(since: mark, in: self)
    }
}
