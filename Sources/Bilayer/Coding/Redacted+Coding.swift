// The descriptions of the coders' settings show their types only, because the settings hold closures of the app.

extension KeyNaming: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension ScalarFormats: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension ValueFormat: Redacted {
    /// A description of the format's values.
    public var description: String { expectation() }
}
