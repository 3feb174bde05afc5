// What the tools of the mapping show: their types. Reporters keep reports, tools keep values and closures of the app.

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

extension ShownValues: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension KeyNaming: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension EntrySpelling: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension ScalarFormats: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension ValueFormat: Redacted {
    /// What a value in this format is.
    public var description: String { expectation() }
}

extension Discriminator: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension Defaults: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension JsonDecoder: Redacted {
    /// The name of the type: user info can hold anything.
    public var description: String { typeName(Self.self) }
}

extension JsonEncoder: Redacted {
    /// The name of the type: user info can hold anything.
    public var description: String { typeName(Self.self) }
}

extension Json: CustomReflectable {
    /// A mirror without children: `dump` shows the JSON, not the bytes around it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Json.Elements: Redacted {
    /// The number of elements.
    public var description: String { "\(count) elements" }
}

extension Json.Members: Redacted {
    /// The number of members.
    public var description: String { "\(count) members" }
}
