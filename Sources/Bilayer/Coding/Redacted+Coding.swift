// What the tools of both coders show: their types. They keep closures of the app.

extension KeyNaming: Redacted {
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
