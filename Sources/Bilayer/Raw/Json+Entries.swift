// What the free conformances of `Codable` types do.

extension Json {
    /// Reads a value by its `Codable` conformance, as the mapping in progress says.
    ///
    /// Always inlined: nested entries would otherwise be deeper than the processor's predictor of returns, which slows
    /// down each of them.
    @inline(__always)
    func decodeCodable<Value: Decodable>() throws -> Value {
        guard case .view(let document, let position) = storage, IssueLog.current == nil else {
            return try decodeCodable(unknownKeys: nil)
        }
        DefaultConformanceTypes.known.note(Value.self)
        do {
            return try DecodingSession.value(Value.self, at: position, of: document)
        } catch {
            throw entryError(error, of: Value.self)
        }
    }

    /// Reads a value where there is an issue log, or where the type has its own policy for unknown keys.
    @inline(never)
    func decodeCodable<Value: Decodable>(unknownKeys choice: MappingPolicy.UnknownKeys?) throws -> Value {
        guard let session = MappingSession.inProgress else {
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
            throw session.conventions.named(error, in: self)
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
        } catch {
            throw entryError(error, of: Value.self)
        }
    }

    /// What the mapping layer makes of an error that ended the reading of an entry.
    @inline(never)
    func entryError(_ error: any Error, of type: Any.Type) -> any Error {
        switch error {
        case let error as DecodingError: MappingError(error, in: self, owner: type)
        case let error as MappingError: MappingError.owned(error, by: typeName(type))
        default: error
        }
    }

    /// Writes a value by its `Codable` conformance, as the mapping in progress says.
    init(entry: some Encodable) throws {
        guard let session = MappingSession.inProgress else {
            try self.init(encoding: entry, using: .plain)
            return
        }
        let mark = session.mark
        try self.init(encoding: entry, using: session.encoder)
        try session.settleNames(since: mark, in: self)
    }
}
