/// How strict a mapping is, and whether it stops at the first error.
///
/// The default policy stops at the first error, as Swift's own decoding does. It tolerates a problem only if an entry
/// or a model declares this (``Lossy``, ``Open``, a default), or if keys clash (``MappingIssue/Kind/keyClash``). Choose
/// another policy for a client, a call, or a mapping by hand:
///
/// ```swift
/// client.mappingPolicy = .salvaging                                        // a bad element costs only itself
/// let users = try await client.fetch(.users, mapping: .collectingAll(limit: 100))
/// ```
public struct MappingPolicy: Sendable, Hashable {
    /// How JSON keys that an entry does not read are treated.
    public enum UnknownKeys: Sendable, Hashable {
        /// They are not checked.
        case ignore
        /// They are reported as warnings.
        case report
        /// They are errors of the whole entry that a call or ``RawDecodable/from(raw:)`` reads: the keys are checked
        /// when it has been read. So an unknown key in an inner value is never salvaged there.
        case fail
    }

    /// Whether the mapping continues after an error, to find further errors. It then fails with all errors found.
    public var collectsAll = false
    /// Whether a bad element of a collection, or a bad optional field, is left out and reported, so that the mapping
    /// does not fail. Has no effect together with ``treatsWarningsAsErrors``.
    public var salvages = false
    /// Whether problems that entries and models would tolerate are errors.
    public var treatsWarningsAsErrors = false
    /// How JSON keys that an entry does not read are treated. A type that conforms to ``ChecksUnknownKeys`` has its own
    /// rule.
    public var unknownKeys = UnknownKeys.ignore
    /// The number of issues to keep for one response, at least one. Further issues are counted but not stored. A search
    /// for all errors (``collectsAll``) ends at this number of errors.
    public var issueLimit = 100 {
        didSet { issueLimit = max(issueLimit, 1) }
    }
    /// The fraction of a collection that may be left out, from 0 to 1. A greater loss is an error of the collection,
    /// and so is the loss of all elements. Each layer counts the elements that it receives. NaN means 0.
    public var toleratedLoss = 1.0 {
        didSet { if toleratedLoss.isNaN { toleratedLoss = 0 } }
    }

    /// Makes the default policy.
    public init() {}

    /// Whether parts that fail are left out. False under a policy that treats warnings as errors.
    var leavesOut: Bool { salvages && !treatsWarningsAsErrors }

    /// Stops at the first error, and tolerates the problems that entries and models declare.
    public static let standard = MappingPolicy()

    /// Treats warnings and unknown keys as errors. Choose it for tests, and for servers with a fixed contract.
    public static let strict: MappingPolicy = {
        var policy = MappingPolicy()
        policy.treatsWarningsAsErrors = true
        policy.unknownKeys = .fail
        return policy
    }()

    /// Leaves out and reports elements and optional fields that cannot be read, and keeps the rest.
    ///
    /// | A value that cannot be read | What is left out |
    /// |---|---|
    /// | an optional property, element or member | the value; it is nil |
    /// | an element of an array or a set, a member of a dictionary | the element or the member |
    /// | a required property, a ``Field`` | the enclosing optional, element or member; if none, the mapping fails |
    ///
    /// Each value that is left out is a warning of kind ``MappingIssue/Kind/dropped``, with its path in the server's
    /// JSON and with its cause. ``issueLimit`` limits only the number of issues that are kept. ``toleratedLoss`` limits
    /// how much may be left out.
    ///
    /// A dictionary whose key type is not `CodingKeyRepresentable` is an array of keys and values in JSON. It has no
    /// members that could be left out. If one key or value cannot be read, the whole dictionary cannot be read.
    public static let salvaging: MappingPolicy = {
        var policy = MappingPolicy()
        policy.salvages = true
        return policy
    }()

    /// Continues after the first error of a response, and fails with all errors found.
    ///
    /// Each reported error is an error of the JSON, and is reported once. An entry that fails is read again, by its
    /// `Codable` conformance. This reading finds the errors of the entry's other fields, elements and members at any
    /// depth:
    ///
    /// | After a failure in | The reading continues with |
    /// |---|---|
    /// | an element or a member | the other elements or members |
    /// | a field of a type that the mapping has read successfully before | the type's other fields, one by one |
    /// | a field of any other type | the type's `init(from:)`, with a placeholder for the bad value |
    /// | a `from(raw:)` or `from(dto:)` by hand | the elements and separate values around it |
    ///
    /// In the second row, *before* means in the same entry, or in an earlier entry of the same response. Of the earlier
    /// entries of a type, the 1st, 2nd, 4th, 8th and so on count. So the errors that are found depend on this response
    /// alone, never on earlier responses.
    ///
    /// There is one exception: an error can be reported for a field that the type would not have read. For example, a
    /// type reads `reason` only if `state` is `failed`. One object of the response is complete, so both fields of the
    /// type are known. In another object `state` has a bad value. Then `reason` is read there, too, and its error is
    /// reported.
    ///
    /// Only the first error is found in a type that reads from a nested container, from `superDecoder()` or from an
    /// unkeyed container. A synthesized enum with payloads reads from a nested container. Likewise, only the first
    /// error is found in a dictionary whose key type is not `CodingKeyRepresentable`, in a type whose `init(from:)` has
    /// discarded another error, for example by `try?`, and in a type that does not read each of its coding keys into a
    /// stored property of its own. Such a type may choose its fields by a value that is a placeholder.
    ///
    /// Placeholders exist for Boolean values, numbers, strings, `Date`, `Data`, `UUID`, `URL`, ``Json`` and
    /// collections. They also exist for ``Open``, ``Formatted`` and ``Lossy`` values of these types, and for enums that
    /// are `CaseIterable` or have raw values and no payloads. At a bad value without a placeholder, the reading of the
    /// object ends. No placeholder reaches a caller, but the app's initializers run on placeholders. A force unwrap
    /// (`UUID(uuidString: text)!`) that a server could trigger can therefore end the process here, too. Errors that may
    /// follow from a placeholder are not reported.
    /// - Parameter limit: The number of issues to keep, at least one.
    /// - Returns: The policy.
    public static func collectingAll(limit: Int = 100) -> MappingPolicy {
        var policy = MappingPolicy()
        policy.collectsAll = true
        policy.issueLimit = limit
        return policy
    }
}
