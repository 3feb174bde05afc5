extension Optional {
    /// The value, or a ``MappingError`` that says which field is missing and where the rule stands.
    ///
    /// Choose it in `from(dto:)` for whatever the app cannot do without:
    ///
    /// ```swift
    /// try Product(name: dto.name.require("name"), price: dto.price.require("price"))
    /// // $.items[1].price: missing, required by ProductEntry -> Product at Product.swift:12 from(dto:)
    /// ```
    /// - Parameters:
    ///   - name: The field's name, for the path; leave it out only where the value is the whole DTO.
    ///   - fileID: The place of the rule.
    ///   - line: The place of the rule.
    ///   - function: The place of the rule.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/missing``.
    @inlinable
    public func require(
        _ name: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) throws -> Wrapped {
        if let self { return self }
        throw MappingError.missing(
            name,
            as: Wrapped.self,
            at: MappingIssue.SourceLocation(fileID: fileID, line: line, function: function)
        )
    }
}

extension MappingError {
    /// The error of a value that is not there; apart from `require`, so that its success path stays a test and a return.
    @usableFromInline
    static func missing(
        _ name: String?,
        as type: Any.Type,
        at source: MappingIssue.SourceLocation
    ) -> MappingError {
        MappingError(
            MappingIssue(
                .missing,
                path: JsonPath(name.map { [.key($0)] } ?? []),
                propertyName: name,
                expected: typeName(type),
                source: source
            )
        )
    }
}
