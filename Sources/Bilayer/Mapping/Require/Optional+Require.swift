extension Optional {
    /// The value, or a ``MappingError`` that says which field is missing and where in the code it is required.
    ///
    /// Choose it in `from(dto:)` for whatever the app cannot do without:
    ///
    /// ```swift
    /// let name = try dto.name.require("name")
    /// let city = try (dto.address?.city).require("address.city")
    /// // $.items[1].address.city: missing, required by ProductEntry -> Product at Product.swift:12 from(dto:)
    /// ```
    /// Where the JSON calls a field otherwise than Swift does, say so: the path then has the JSON's key, the issue both
    /// names.
    ///
    /// ```swift
    /// try dto.name.require("name", key: "nm")              // $.nm: missing … (property name)
    /// ```
    /// - Parameters:
    ///   - name: The field's name, for the path, or the path that leads to it from the DTO (`address.city`); leave it
    ///     out only where the value is the whole DTO.
    ///   - key: The field's key in the JSON, or the path there, where it differs from the name.
    ///   - fileID: The place of the rule.
    ///   - line: The place of the rule.
    ///   - function: The place of the rule.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` of kind ``MappingIssue/Kind/missing``.
    @inlinable
    public func require(
        _ name: String? = nil,
        key: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) throws -> Wrapped {
        if let self { return self }
        throw MappingError.missing(
            name,
            key: key,
            as: Wrapped.self,
            at: MappingIssue.SourceLocation(fileID: fileID, line: line, function: function)
        )
    }
}

extension MappingError {
    /// The error of a value that is not there; apart from `require`, so that its success path stays a test and a
    /// return.
    @usableFromInline
    static func missing(
        _ name: String?,
        key: String?,
        as type: Any.Type,
        at source: MappingIssue.SourceLocation
    ) -> MappingError {
        let issue = MappingIssue(.missing, expected: typeName(type), source: source)
        return MappingError(issue.placed(atField: name, key: key))
    }
}
