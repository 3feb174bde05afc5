extension Field: DTODecodable where Value: DTODecodable {
    /// Makes the model of a value. An absent field and `null` stay as they are.
    /// - Parameter dto: The field of the lower layer.
    /// - Returns: The field.
    /// - Throws: The error of the value.
    public static func from(dto: Field<Value.DTO>) throws -> Field {
        try dto.map { try Value.converted(from: $0) }
    }
}

extension Field: DTOEncodable where Value: DTOEncodable {
    /// Converts a value to its DTO. An absent field and `null` stay as they are.
    /// - Returns: The field of the lower layer.
    /// - Throws: The error of the value.
    public func toDTO() throws -> Field<Value.DTO> {
        try map { try $0.converted() }
    }
}

extension Field {
    /// Returns the value, or a default for an absent member or a `null`. The use of a default is reported as
    /// information.
    ///
    /// ```swift
    /// dto.limit.default(ifMissing: 10, ifNull: .max, "limit")
    /// ```
    /// - Parameters:
    ///   - ifMissing: The default for an absent member.
    ///   - ifNull: The default for a `null`.
    ///   - name: The field's name, or the path that leads to it from the DTO.
    ///   - key: The field's key in the JSON, if it differs from the name.
    ///   - fileID: The caller's file, for the issue.
    ///   - line: The caller's line, for the issue.
    ///   - function: The caller's function, for the issue.
    /// - Returns: The value or a default.
    public func `default`(
        ifMissing: @autoclosure () -> Value,
        ifNull: @autoclosure () -> Value,
        _ name: String? = nil,
        key: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) -> Value {
        if case .value(let value) = self { return value }
        let source = MappingIssue.SourceLocation(fileID: fileID, line: line, function: function)
        let found = isNull ? "null" : "nothing"
        MappingIssue.reportDefault(for: name, key: key, of: Value.self, found: found, at: source)
        return isNull ? ifNull() : ifMissing()
    }
}
