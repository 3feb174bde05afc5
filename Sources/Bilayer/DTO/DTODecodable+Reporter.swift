extension DTODecodable {
    /// Makes the model of a value that another client fetched, and reports its issues.
    ///
    /// A client that a generator brings keeps its fetch and its cache; its results become models in one call:
    ///
    /// ```swift
    /// let products = try [Product].from(dto: fragments, reporter: reporter, policy: .salvaging)
    /// ```
    /// Paths start at `dto`, with the names that the conversion gives to fields. For several conversions in one report
    /// see ``MappingReporter/mapping(_:policy:conventions:_:)``.
    /// - Parameters:
    ///   - dto: The value of the lower layer.
    ///   - reporter: Receives the issues, also those of a conversion that fails.
    ///   - policy: How strict the conversion is.
    ///   - subject: The subject in the report: an operation, a screen. The name of the model if left out.
    /// - Returns: The model.
    /// - Throws: ``MappingError``.
    public static func from(
        dto: DTO,
        reporter: any MappingReporter,
        policy: MappingPolicy = .standard,
        subject: String? = nil
    ) throws -> Self {
        try reporter.mapping(subject ?? typeName(Self.self), policy: policy) { try converted(from: dto) }
    }
}
