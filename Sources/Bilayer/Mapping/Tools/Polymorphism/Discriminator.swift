/// The key of the tag that distinguishes a type's variants, and the variants by their tags: see ``Discriminated``.
public struct Discriminator<Value>: Sendable {
    /// Makes a value of one variant from the whole object.
    public typealias Reader = @Sendable (Json) throws -> Value

    private let path: JsonPath
    private let readers: [String: Reader]
    private let otherwise: Reader?
    private let ifMissing: Reader?

    /// Distinguishes variants by a member.
    ///
    /// A value with an unlisted tag is read by `otherwise`, which may keep the whole JSON. The value is reported as
    /// ``MappingIssue/Kind/unknownCase``. It is an error if there is no `otherwise`, or if the policy treats warnings
    /// as errors.
    /// - Parameters:
    ///   - key: The tag's key, or a path to it: `meta.kind`. Tags are strings; integers are compared by their digits,
    ///     Booleans as `true` and `false`.
    ///   - readers: The closures that read the variants, by tag.
    ///   - otherwise: Reads a value with another tag.
    ///   - ifMissing: Reads a value without a tag, or with a `null` as its tag. Without this closure such a value is an
    ///     error.
    /// - Returns: The discriminator.
    public static func on(
        _ key: String,
        _ readers: [String: Reader],
        otherwise: Reader? = nil,
        ifMissing: Reader? = nil
    ) -> Discriminator {
        Discriminator(
            path: JsonPath(key) ?? [.key(key)],
            readers: readers,
            otherwise: otherwise,
            ifMissing: ifMissing
        )
    }

    /// Reads a value by its tag.
    func read(_ raw: Json) throws -> Value {
        guard raw.kind == .object else {
            throw MappingError(MappingIssue(raw.isNull ? .null : .wrongType, expected: "an object", found: raw.found))
        }
        guard let tag = raw.value(at: path), !tag.isNull else {
            if let ifMissing { return try read(raw, with: ifMissing) }
            let tag = raw.value(at: path)
            throw MappingError(
                MappingIssue(tag == nil ? .missing : .null, path: path, expected: knownTags, found: tag?.found)
            )
        }
        guard let name = tag.tagName else {
            throw MappingError(MappingIssue(.wrongType, path: path, expected: knownTags, found: tag.found))
        }
        if let reader = readers[name] { return try read(raw, with: reader) }
        guard let otherwise else { throw MappingError(unknown(tag, severity: .error)) }
        try unknown(tag, severity: .warning).reportOrThrow()
        return try read(raw, with: otherwise)
    }

    /// Reads a variant. The tag's key does not count as an unknown key.
    private func read(_ raw: Json, with reader: Reader) throws -> Value {
        try ReadTag.with(path, of: raw, reader)
    }

    private func unknown(_ tag: Json, severity: MappingIssue.Severity) -> MappingIssue {
        var issue = MappingIssue(.unknownCase, severity: severity, path: path, expected: knownTags, found: tag.found)
        issue.owner = typeName(Value.self)
        return issue
    }

    private var knownTags: String {
        let tags = readers.keys.sorted()
        let shown = tags.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
        return (tags.count == 1 ? "" : "one of ") + shown + (tags.count > 20 ? " and \(tags.count - 20) more" : "")
    }
}

extension Json {
    /// The text of a tag; `nil` if the value cannot be a tag.
    fileprivate var tagName: String? { string ?? int64.map { String($0) } ?? bool.map { String($0) } }
}

extension Discriminator: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
