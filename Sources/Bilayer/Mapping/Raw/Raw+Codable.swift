// The default conformances of `Codable` types, and how they read and write.

extension RawDecodable where Self: Decodable, Raw == Json {
    /// Reads the value with the type's own `init(from:)`.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError``, also in place of a `DecodingError`, with the path and the JSON type that was found.
    ///   Any other error of the `init(from:)` is thrown unchanged, unless the policy collects errors and finds several.
    public static func from(raw: Json) throws -> Self { try raw.decodeCodable() }
}

extension RawEncodable where Self: Encodable, Raw == Json {
    /// Writes the value with the type's own `encode(to:)`.
    /// - Returns: The JSON of this value.
    /// - Throws: `EncodingError` if the value cannot be written as JSON, or what the type's own `encode(to:)` throws.
    ///   In a mapping with a naming, throws ``MappingError`` instead.
    public func toRaw() throws -> Json {
        DefaultConformanceTypes.encoded.insert(Self.self)
        return try Json(entry: self)
    }
}

extension Json {
    /// Reads a value by its `Codable` conformance, with the settings of the running mapping.
    ///
    /// The function is always inlined. Otherwise nested entries would exceed the depth of the processor's return
    /// predictor, which slows down each entry.
    @inline(__always)
    func decodeCodable<Value: Decodable>() throws -> Value {
        guard case .view(let document, let position) = storage, IssueLog.current == nil else {
            return try decodeCodable(unknownKeys: nil)
        }
        DefaultConformanceTypes.decoded.insert(Value.self)
        do {
            return try DecodingSession.value(Value.self, at: position, of: document)
        } catch {
            throw entryError(error, of: Value.self)
        }
    }

    /// Reads a value for which the fast path does not apply: an issue log is bound, the value is no part of a parsed
    /// text, or its type has its own rule for unknown keys.
    @inline(never)
    func decodeCodable<Value: Decodable>(unknownKeys rule: MappingPolicy.UnknownKeys?) throws -> Value {
        if rule == nil { DefaultConformanceTypes.decoded.insert(Value.self) }
        guard let mapping = MappingSession.inProgress else {
            return try decodeCodable(unknownKeys: rule ?? .ignore, using: .plain, since: .start, in: nil)
        }
        mapping.record(documentOf: self)
        let mark = mapping.mark
        let unknownKeys = rule ?? mapping.policy.unknownKeys
        func tolerantly(after error: any Error) throws -> Value {
            try decodeTolerantly(Value.self, unknownKeys, after: error, since: mark, in: mapping, isReported: true)
        }
        let isInTrial = mapping.isTrial
        if !isInTrial, let error = mapping.errorInTrial(of: self, as: Value.self) {
            return try tolerantly(after: error)
        }
        let value: Value
        do {
            value = try mapping.reading(asTrial: true) {
                try decodeCodable(unknownKeys: unknownKeys, using: mapping.decoder, since: mark, in: mapping)
            }
        } catch {
            if !isInTrial { return try tolerantly(after: error) }
            mapping.record(error, inTrialOf: self, as: Value.self)
            throw error
        }
        mapping.settleAside(since: mark)
        if isInTrial {
            if mapping.readsTolerantly(since: mark) { mapping.recordLoss(inTrialOf: self, as: Value.self) }
        } else if mapping.readsTolerantly(since: mark) {
            return try salvage(Value.self, unknownKeys, since: mark, in: mapping, isReported: true)
        }
        try finishEntry(Value.self, since: mark, in: mapping)
        return value
    }

    /// Reads an entry once more after an error, if the policy salvages or collects errors. Otherwise throws the error.
    ///
    /// If `isReported` is false, the error of an entry that cannot be salvaged is only counted. The error is then
    /// thrown without ``entryError(_:of:)``, which takes longer than the reading.
    /// - Throws: The error, or all errors if they are collected.
    @inline(never)
    func decodeTolerantly<Value: Decodable>(
        _ type: Value.Type,
        _ unknownKeys: MappingPolicy.UnknownKeys = .ignore,
        after error: any Error,
        since mark: IssueLog.Mark,
        in mapping: MappingSession,
        isReported: Bool
    ) throws -> Value {
        if error is CancellationError { throw error }
        // `salvage` reads the entry again, and throws the error of that reading if it fails, too. So `entryError` is
        // not called for the first error.
        if mapping.policy.leavesOut {
            return try salvage(type, unknownKeys, since: mark, in: mapping, isReported: isReported)
        }
        let error = entryError(error, of: type)
        do {
            if mapping.policy.collectsAll {
                mapping.remove(since: mark)
                let complete = try completeError(of: type, unknownKeys: unknownKeys, after: error, in: mapping)
                mapping.setAside(since: mark, failedBy: complete)
                throw complete
            }
            throw error
        } catch {
            mapping.setOwner(since: mark, inside: .root, by: typeName(type))
            mapping.removeRepeated(since: mark)
            try? mapping.nameKeys(since: mark, in: self)
            mapping.setOrigin(self, since: mark)
            guard let error = error as? MappingError else { throw error }
            throw MappingError.settingOrigin(of: mapping.conventions.named(error, in: self), to: self)
        }
    }

    /// Reads an entry once more, and leaves out the values that cannot be read.
    @inline(never)
    func salvage<Value: Decodable>(
        _ type: Value.Type,
        _ unknownKeys: MappingPolicy.UnknownKeys = .ignore,
        since mark: IssueLog.Mark,
        in mapping: MappingSession,
        isReported: Bool
    ) throws -> Value {
        mapping.remove(since: mark)
        mapping.forgetFailedField()
        var decoder = mapping.decoder
        decoder.tolerance = Salvaging(entry: self)
        do {
            let value: Value = try decodeCodable(
                unknownKeys: unknownKeys,
                using: decoder,
                describing: isReported,
                since: mark,
                in: mapping
            )
            mapping.settleAside(since: mark)
            mapping.setOwner(since: mark, by: typeName(type))
            mapping.removeRepeated(since: mark)
            try mapping.nameKeys(since: mark, in: self)
            mapping.setOrigin(self, since: mark)
            return value
        } catch {
            if !isReported { throw error }
            // The issues from before the error are reported in addition to it.
            mapping.setOwner(since: mark, by: typeName(type))
            mapping.removeRepeated(since: mark)
            try? mapping.nameKeys(since: mark, in: self)
            mapping.setOrigin(self, since: mark)
            let error = (error as? MappingError).map { mapping.conventions.named($0, in: self) } ?? error
            throw MappingError.settingOrigin(of: error, to: self)
        }
    }

    /// Completes the reading of an entry. Adds the type's name, the JSON's keys and this value
    /// (``MappingIssue/origin``) to the entry's issues. If errors are collected, the entry may be kept as an example of
    /// its type.
    @inline(never)
    func finishEntry<Value: Decodable>(
        _ type: Value.Type,
        since mark: IssueLog.Mark,
        in mapping: MappingSession
    ) throws {
        do {
            if mapping.policy.collectsAll { keep(asExampleOf: type, in: mapping) }
            if mapping.mark == mark { return }
            mapping.setOwner(since: mark, inside: .root, by: typeName(type))
            mapping.removeRepeated(since: mark)
            try mapping.nameKeys(since: mark, in: self)
            mapping.setOrigin(self, since: mark)
        } catch let error as MappingError {
            throw MappingError.settingOrigin(of: mapping.conventions.named(error, in: self), to: self)
        }
    }

    /// Reads an entry. If it fails, its issues since the mark are set aside.
    private func decodeCodable<Value: Decodable>(
        unknownKeys: MappingPolicy.UnknownKeys,
        using decoder: JsonDecoder,
        describing isReported: Bool = true,
        since mark: IssueLog.Mark,
        in mapping: MappingSession?
    ) throws -> Value {
        do {
            if unknownKeys == .ignore { return try decode(Value.self, using: decoder) }
            let (value, unknown) = try decodeRecordingKeys(Value.self, unknownKeys, using: decoder)
            try MappingIssue.reportOrThrow(unknown)
            return value
        } catch {
            // `setAside` compares this error with the errors of inner values, which have no keys of the JSON yet. So it
            // is called before `entryError`, which may add these keys to the error.
            mapping?.setAside(since: mark, failedBy: error)
            throw isReported ? entryError(error, of: Value.self) : error
        }
    }

    /// Returns the mapping error for a `DecodingError` or ``MappingError`` that ended the reading of an entry. Returns
    /// any other error unchanged.
    @inline(never)
    func entryError(_ error: any Error, of type: Any.Type) -> any Error {
        switch error {
        case let error as DecodingError:
            MappingError.settingOrigin(of: owned(MappingError(error, in: self, owner: nil), type), to: self)
        case let error as MappingError:
            MappingError.settingOrigin(of: owned(error.ownedByDeclaringType, type), to: self)
        default: error
        }
    }

    /// Returns an error that names the type that declares the failed field (``MappingIssue/owner``). Without a log the
    /// decoder has not noted the type of a nested value. The entry is then read again with a log, to find the type.
    private func owned(_ error: MappingError, _ type: Any.Type) -> any Error {
        var owner: String?
        if IssueLog.current == nil, let path = error.issues.first?.localPath, path.components.count > 1,
            let type = type as? any Decodable.Type
        {
            owner = self.owner(of: type, at: path)
        }
        return MappingError.owned(error, by: owner ?? typeName(type))
    }

    /// Returns the name of the type that declares the field at which the reading of an entry failed.
    private func owner<Value: Decodable>(of type: Value.Type, at path: JsonPath) -> String? {
        let log = IssueLog(policy: .standard)
        return IssueLog.with(log) {
            _ = try? decode(type, using: .plain)
            return log.takeOwner(ofFieldAt: path)
        }
    }

    /// Writes a value by its `Codable` conformance, with the settings of the running mapping.
    init(entry: some Encodable) throws {
        guard let mapping = MappingSession.inProgress else {
            self.init(.written(WrittenJson(try EncodingSession.encode(entry, .plain))))
            return
        }
        let mark = mapping.mark
        do {
            try self.init(encoding: entry, using: mapping.encoder)
        } catch {
            throw mapping.named(writing: error, since: mark)
        }
        try mapping.nameKeys(since: mark, in: self)
    }
}

extension Json {
    /// Reads the elements of this array after the first in one ``DecodingSession``. Returns all elements, including the
    /// first. The type must use the default `from(raw:)`. Returns `nil` for a type that is not `Decodable`, and if this
    /// value is no part of a parsed text.
    @usableFromInline
    func entries<Value>(after first: Value) throws -> [Value]? {
        guard case .view(let document, let array) = storage, let entry = Value.self as? any Decodable.Type else {
            return nil
        }
        return try entry.entries(after: first, in: array, of: document)
    }
}

extension Decodable {
    /// Reads the elements of an array after the first. Returns all elements. `Value` must be `Self`.
    fileprivate static func entries<Value>(
        after first: Value,
        in array: Int,
        of document: JsonDocument
    ) throws -> [Value] {
        // Bound: `Value` and `Self` are the same type. A cast would copy the array element by element.
        let first = unsafe unsafeBitCast(first, to: Self.self)
        let entries = try DecodingSession.values(after: first, in: array, of: document) { index, position, error in
            MappingError.located(Json(.view(document, position)).entryError(error, of: Self.self), at: .index(index))
        }
        return unsafe unsafeBitCast(entries, to: [Value].self)
    }
}
