extension RawDecodable where Self: Decodable, Raw == Json {
    /// Reads the value with the type's own `init(from:)`.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError``; a `DecodingError` becomes one, with the path and what was found there.
    public static func from(raw: Json) throws -> Self { try raw.decodeCodable() }
}

extension Json {
    /// What the free conformance does.
    func decodeCodable<Value: Decodable>(unknownKeys choice: MappingPolicy.UnknownKeys? = nil) throws -> Value {
        let session = MappingSession.current
        let mark = session?.mark ?? 0
        let unknownKeys = choice ?? session?.policy.unknownKeys ?? .ignore
        do {
            let decoder = session?.decoder ?? .plain
            if unknownKeys != .ignore { return try decodeChecked(unknownKeys, using: decoder) }
            return try decode(Value.self, using: decoder)
        } catch let error as DecodingError {
            guard let session, session.policy.wantsMoreThanTheFirstError else {
                throw MappingError(MappingIssue(error, in: self, owner: Value.self))
            }
            var reading = TolerantReading<Value>(self, in: session, since: mark)
            return try reading.read()
        } catch let error as MappingError {
            throw MappingError.owned(error, by: typeName(Value.self))
        }
    }
}

extension RawEncodable where Self: Encodable, Raw == Json {
    /// Writes the value with the type's own `encode(to:)`.
    /// - Returns: The JSON of this value.
    /// - Throws: `EncodingError` when the value cannot be written as JSON.
    public func toRaw() throws -> Json {
        try Json(encoding: self, using: MappingSession.current?.encoder ?? .plain)
    }
}
