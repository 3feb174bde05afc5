extension DTODecodable {
    /// Makes the model from a value that another client fetched, and reports the issues of the conversion.
    ///
    /// Choose it if a generated client, with its own requests and its own cache, fetches the values:
    ///
    /// ```swift
    /// let products = try [Product].from(dto: fragments, reporter: reporter, policy: .salvaging)
    /// ```
    /// Paths start at `dto` and use the field names that `from(dto:)` passes. For several conversions in one report see
    /// ``MappingReporter/mapping(_:policy:conventions:_:)``.
    /// - Parameters:
    ///   - dto: The value of the lower layer.
    ///   - reporter: Receives the issues, including those of a conversion that fails.
    ///   - policy: How strict the conversion is.
    ///   - subject: The subject in the report, for example an operation or a screen. By default the name of the model.
    /// - Returns: The model.
    /// - Throws: ``MappingError``, or a `CancellationError` of the conversion.
    public static func from(
        dto: DTO,
        reporter: any MappingReporter,
        policy: MappingPolicy = .standard,
        subject: String? = nil
    ) throws -> Self {
        try reporter.mapping(subject ?? typeName(Self.self), policy: policy) { try converted(from: dto) }
    }
}
