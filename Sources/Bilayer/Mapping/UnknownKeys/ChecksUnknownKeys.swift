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
        let choice = unknownKeys ?? IssueLog.current?.policy.unknownKeys ?? .ignore
        if choice == .ignore { return }
        let issues = countingMembers.filter { !keys.contains($0.key) }
            .map { MappingIssue.unknownKey($0.key, found: $0.value.found) }
        try MappingIssue.settle(issues.map { UnknownKey(issue: $0, choice: choice) })
    }
}
