extension RawDecodable where Self: Decodable & ChecksUnknownKeys, Raw == Json {
    /// Reads the value with the type's own `init(from:)`, and checks for keys that it does not read.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError``, or another error of the `init(from:)`, if the value cannot be read. If the type
    ///   treats unknown keys as errors, also ``MappingError`` of kind ``MappingIssue/Kind/unknownKey`` for such keys.
    public static func from(raw: Json) throws -> Self {
        try raw.decodeCodable(unknownKeys: Self.unknownKeys)
    }
}

extension Json {
    /// Checks this object for keys that the entry does not read. Choose it for entries that are read by hand.
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
    ///   - unknownKeys: How other keys are treated. By default the policy of the mapping decides; without a mapping
    ///     they are ignored.
    /// - Throws: ``MappingError`` with all unknown keys, if they are errors.
    public func expectOnly(_ keys: String..., unknownKeys: MappingPolicy.UnknownKeys? = nil) throws {
        let rule = unknownKeys ?? IssueLog.current?.policy.unknownKeys ?? .ignore
        if rule == .ignore { return }
        let known = Set(keys.map(JsonKey.init(text:)))
        let others = effectiveMembers.filter { !known.contains(JsonKey(text: $0.key)) }
        if others.isEmpty { return }
        let unread = UnreadParts(of: self)
        let issues = others.flatMap { unread.parts(of: $0.value, at: [.key($0.key)]) }
            .map { UnknownKey(issue: .unknownKey($0), rule: rule) }
        try locating(at: nil, in: self) { try MappingIssue.reportOrThrow(issues) }
    }
}
