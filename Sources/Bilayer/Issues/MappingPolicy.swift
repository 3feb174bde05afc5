/// How strict a mapping is, and how much of what is wrong it looks for.
///
/// The default stops at the first problem, as Swift's own decoding does, and tolerates a problem only where an entry or
/// a model says so (``Lossy``, ``Open``, a default). Choose another one for a client, a call, or a mapping by hand:
///
/// ```swift
/// client.mappingPolicy = .salvaging                                        // a bad element costs only itself
/// let users = try await client.fetch(.users, mapping: .collectingAll(limit: 100))
/// ```
public struct MappingPolicy: Sendable, Hashable {
    /// What becomes of keys in the JSON that an entry does not read.
    public enum UnknownKeys: Sendable, Hashable {
        /// Nothing; they are not looked for.
        case ignore
        /// They are reported as warnings.
        case report
        /// They are errors.
        case fail
    }

    /// Whether to go on after an error and find the others, too. The mapping fails all the same.
    public var collectsAll = false
    /// Whether a bad element of a collection, or a bad optional field, is left out and reported instead of failing.
    public var salvages = false
    /// Whether problems that entries and models tolerate are errors.
    public var treatsWarningsAsErrors = false
    /// What becomes of keys that an entry does not read.
    public var unknownKeys = UnknownKeys.ignore
    /// The number of issues to keep for one response, at least one. Further issues are counted but not stored.
    public var issueLimit = 100 {
        didSet { issueLimit = max(issueLimit, 1) }
    }
    /// The part of a collection that may be left out, from 0 to 1; above it the collection itself fails. However high,
    /// a collection of which nothing is left fails. NaN is 0.
    public var toleratedLoss = 1.0 {
        didSet { if toleratedLoss.isNaN { toleratedLoss = 0 } }
    }

    /// Makes the default policy.
    public init() {}

    /// Whether parts that fail are left out. A policy that treats warnings as errors leaves nothing out.
    var leavesOut: Bool { salvages && !treatsWarningsAsErrors }

    var wantsMoreThanTheFirstError: Bool { collectsAll || leavesOut }

    /// Stops at the first problem, and tolerates what entries and models say.
    public static let standard = MappingPolicy()

    /// Tolerates nothing: for tests, and for servers that must keep their contract.
    public static let strict: MappingPolicy = {
        var policy = MappingPolicy()
        policy.treatsWarningsAsErrors = true
        policy.unknownKeys = .fail
        return policy
    }()

    /// Keeps what can be kept: a bad element or optional field costs only itself, with a report.
    public static let salvaging: MappingPolicy = {
        var policy = MappingPolicy()
        policy.salvages = true
        return policy
    }()

    /// Finds all problems of a response in one pass, as far as possible, and then fails with them.
    ///
    /// The limits: siblings of a failed field are found where the entry is read by ``RawDecodable``'s default for
    /// `Codable` types, whether the decoder or a mapping tool inside refused the field; in a `from(raw:)` or
    /// `from(dto:)` by hand the first `try` that throws ends its function, so only elements and separate values are
    /// found there. An error of an app's own out of an `init(from:)` has no place in the JSON, so it is the last one of
    /// its entry.
    /// - Parameter limit: The most issues to keep, at least one.
    /// - Returns: The policy.
    public static func collectingAll(limit: Int = 100) -> MappingPolicy {
        var policy = MappingPolicy()
        policy.collectsAll = true
        policy.issueLimit = limit
        return policy
    }
}
