// The descriptions of reporters are counts, never contents.

extension CollectingReporter: Redacted {
    /// The number of reports.
    public var description: String { "\(typeName(Self.self))(\(reports.count) reports)" }
}

extension CountingReporter: Redacted {
    /// The number of grouping keys.
    public var description: String { "\(typeName(Self.self))(\(counts.count) grouping keys)" }
}

extension ClosureReporter: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension ValueDisclosure: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension CodingConventions: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
