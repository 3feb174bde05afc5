/// How strict a mapping is, and whether it stops at the first error.
///
/// The default stops at the first error, as Swift's own decoding does. It tolerates a problem only if an entry or a
/// model says so (``Lossy``, ``Open``, a default). Choose another policy for a client, a call, or a mapping by hand:
///
/// ```swift
/// client.mappingPolicy = .salvaging                                        // a bad element costs only itself
/// let users = try await client.fetch(.users, mapping: .collectingAll(limit: 100))
/// ```
public struct MappingPolicy: Sendable, Hashable {
    /// How keys in the JSON that an entry does not read are treated.
    public enum UnknownKeys: Sendable, Hashable {
        /// They are not checked.
        case ignore
        /// They are reported as warnings.
        case report
        /// They are errors.
        case fail
    }

    /// Whether to continue after an error to find the others. The mapping fails with all of them.
    public var collectsAll = false
    /// Whether a bad element of a collection, or a bad optional field, is left out and reported instead of failing.
    public var salvages = false
    /// Whether problems that entries and models tolerate are errors.
    public var treatsWarningsAsErrors = false
    /// How keys that an entry does not read are treated.
    public var unknownKeys = UnknownKeys.ignore
    /// The number of issues to keep for one response, at least one. Further issues are counted but not stored.
    public var issueLimit = 100 {
        didSet { issueLimit = max(issueLimit, 1) }
    }
    /// The part of a collection that may be left out, from 0 to 1; a greater loss is an error of the collection. A
    /// collection with no element left is always an error. Each layer counts what it gets. NaN means 0.
    public var toleratedLoss = 1.0 {
        didSet { if toleratedLoss.isNaN { toleratedLoss = 0 } }
    }

    /// Makes the default policy.
    public init() {}

    /// Whether parts that fail are left out. A policy that treats warnings as errors leaves nothing out.
    var leavesOut: Bool { salvages && !treatsWarningsAsErrors }

    /// Stops at the first error, and tolerates the problems that entries and models declare.
    public static let standard = MappingPolicy()

    /// Treats warnings and unknown keys as errors: for tests, and for servers with a fixed contract.
    public static let strict: MappingPolicy = {
        var policy = MappingPolicy()
        policy.treatsWarningsAsErrors = true
        policy.unknownKeys = .fail
        return policy
    }()

    /// Leaves out elements and optional fields that cannot be read, with a report, and keeps the rest.
    ///
    /// | A value that cannot be read | What is left out |
    /// |---|---|
    /// | an optional property, element or member | the value; it is nil |
    /// | an element of an array or a set, a member of a dictionary | the element or the member |
    /// | a required property, a ``Field`` | what encloses it: the next optional property, element or member; without one, the mapping fails |
    ///
    /// Each value that is left out is a warning of kind ``MappingIssue/Kind/dropped``, with its path in the server's
    /// JSON and with its cause. ``issueLimit`` limits the issues that are kept, never what is left out;
    /// ``toleratedLoss`` limits that.
    ///
    /// A dictionary whose keys are no `CodingKeyRepresentable` is an array of keys and values in JSON. It has no
    /// members: a key or a value that cannot be read costs the whole dictionary, as a required property does.
    public static let salvaging: MappingPolicy = {
        var policy = MappingPolicy()
        policy.salvages = true
        return policy
    }()

    /// Finds the errors of a response behind its first one, and fails with them.
    ///
    /// Each error is in the JSON, and is reported once. An entry that fails is read once more, by its `Codable`
    /// conformance, for the errors of its other fields, elements and members at any depth:
    ///
    /// | After a failure in | The reading continues with |
    /// |---|---|
    /// | an element or a member | the others |
    /// | a field of a type of which the mapping has read a value | the type's other fields, one by one |
    /// | a field of another type | the type's `init(from:)`, with a placeholder for the bad value |
    /// | a `from(raw:)` or `from(dto:)` by hand | the elements and separate values around it |
    ///
    /// A value counts that is in the same entry, or in an entry that was read before. So what is found depends on the
    /// response alone, never on those before it.
    ///
    /// A type that reads a field only for certain values of another one is an exception, if the response has a value
    /// with all of its fields. After a bad value of the other field, the field is read as well, and may have an error
    /// that the type would not have found.
    ///
    /// Only the first error is found of a type that reads from a nested container, as a synthesized enum with payloads
    /// does, from `superDecoder()` or from an unkeyed container, and of a dictionary whose keys are no
    /// `CodingKeyRepresentable`.
    ///
    /// Placeholders exist for numbers, strings, dates, identifiers, addresses, collections and enums that are
    /// `CaseIterable`; without one, the object ends there. No placeholder reaches a caller, but the app's initialisers
    /// run on them: a force unwrap (`UUID(uuidString: text)!`) that any server could trigger ends the process here,
    /// too. Errors that may follow from a placeholder are not reported.
    /// - Parameter limit: The number of issues to keep, at least one.
    /// - Returns: The policy.
    public static func collectingAll(limit: Int = 100) -> MappingPolicy {
        var policy = MappingPolicy()
        policy.collectsAll = true
        policy.issueLimit = limit
        return policy
    }
}
