/// An entry that says itself what becomes of keys that it does not read, whatever the policy of the call says.
///
/// ```swift
/// struct ConsentEntry: Codable, RawMappable, ChecksUnknownKeys {
///     static let unknownKeys = MappingPolicy.UnknownKeys.fail
///     let accepted: Bool
/// }
/// ```
/// Choose it for few types: looking for unknown keys takes about twice the time of reading. For whole calls choose
/// ``MappingPolicy/unknownKeys``, for entries read by hand ``Json/expectOnly(_:unknownKeys:)``.
///
/// What is seen, and what is not: objects at any depth are checked whose types are `Codable` and are read with the entry. A type that
/// takes all keys, as dictionaries and ``Json`` do, knows them all; dictionaries are not looked into where keys have a naming. A type's
/// own choice counts where it is read by itself or as an element of an array, and inside of another entry only if that one is checked,
/// too. A policy that salvages or collects looks for them in entries with errors as well, except inside what had to be left out.
public protocol ChecksUnknownKeys: SendableMetatype {
    /// What becomes of keys that the type does not read.
    static var unknownKeys: MappingPolicy.UnknownKeys { get }
}

extension RawDecodable where Self: Decodable & ChecksUnknownKeys, Raw == Json {
    /// Reads the value with the type's own `init(from:)`, and looks for keys that it did not ask for.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError``; of kind ``MappingIssue/Kind/unknownKey`` if the type says so.
    public static func from(raw: Json) throws -> Self { try raw.decodeCodable(unknownKeys: Self.unknownKeys) }
}

extension Json {
    /// Tells of keys that an entry read by hand does not know.
    ///
    /// ```swift
    /// struct PointEntry: RawDecodable {
    ///     let x: Double
    ///     let label: String?
    ///
    ///     static func from(raw: Json) throws -> PointEntry {
    ///         try raw.expectOnly("x", "label")
    ///         return try PointEntry(x: raw.decode("x"), label: raw.decodeIfPresent("label"))
    ///     }
    /// }
    /// ```
    /// - Parameters:
    ///   - keys: The keys that the entry reads.
    ///   - unknownKeys: What becomes of others; as the policy says if left out, and nothing without one.
    /// - Throws: ``MappingError`` with all unknown keys, if they are errors.
    public func expectOnly(_ keys: String..., unknownKeys: MappingPolicy.UnknownKeys? = nil) throws {
        let choice = unknownKeys ?? MappingSession.current?.policy.unknownKeys ?? .ignore
        if choice == .ignore { return }
        let issues = countingMembers.filter { !keys.contains($0.key) }
            .map { MappingIssue.unknownKey($0.key, found: $0.value.found) }
        try MappingIssue.settle(issues.map { UnknownKey(issue: $0, choice: choice) })
    }

    /// Reads a `Codable` type and looks for keys that it did not ask for.
    /// - Returns: The value, and the keys with what becomes of each.
    func decodeWatched<Value: Decodable>(
        _ type: Value.Type,
        _ choice: MappingPolicy.UnknownKeys,
        using settings: JsonDecoder
    ) throws -> (value: Value, unknownKeys: [UnknownKey]) {
        let record = KeyRecord(choice, settings)
        var decoder = settings
        if let key = KeyRecord.userInfoKey { decoder.userInfo[key] = record }
        let value = try decoder.decode(Recorded<Value>.self, from: self).value
        return (value, record.unknownKeys(in: self))
    }
}

/// A key that nobody asked for.
struct UnknownKey {
    var issue: MappingIssue
    let choice: MappingPolicy.UnknownKeys
}

extension MappingIssue {
    fileprivate static func unknownKey(_ key: String, found: Found?) -> MappingIssue {
        MappingIssue(.unknownKey, severity: .warning, path: [.key(key)], found: found)
    }

    /// Reports unknown keys, or fails with those that are errors.
    static func settle(_ keys: [UnknownKey]) throws {
        let errors = report(keys)
        if let first = errors.first { throw MappingError(first, Array(errors.dropFirst())) }
    }

    /// Reports unknown keys.
    /// - Returns: Those that are errors, which are not reported.
    static func report(_ keys: [UnknownKey]) -> [MappingIssue] {
        for key in keys where key.choice == .report { key.issue.report() }
        return keys.filter { $0.choice == .fail }
            .map { key in
                var issue = key.issue
                issue.severity = .error
                return issue
            }
    }
}

extension KeyRecord {
    fileprivate func unknownKeys(in raw: Json) -> [UnknownKey] {
        objects.filter { $0.choice != .ignore }
            .flatMap { object in
                object.unknownKeys.map { UnknownKey(issue: issue(key: $0, of: object, in: raw), choice: object.choice) }
            }
    }

    private func issue(key: String, of object: Object, in raw: Json) -> MappingIssue {
        var issue = MappingIssue.unknownKey(key, found: nil)
        issue.prefix(by: object.path)
        if let naming = MappingSession.current?.spelling.keys { issue.nameKeys(by: naming, in: raw) }
        issue.found = raw.value(at: issue.path)?.found
        issue.owner = object.owner
        return issue
    }
}
