extension Optional {
    /// Returns the value, or throws a ``MappingError`` with the missing field and the caller's source location.
    ///
    /// Choose it in `from(dto:)` for values that the app requires:
    ///
    /// ```swift
    /// let name = try dto.name.require("name")
    /// let city = try (dto.address?.city).require("address.city")
    /// // $.items[1].address.city: missing: expected String, required by ProductEntry -> Product
    /// //     at Product.swift:12 from(dto:)
    /// ```
    /// An optional does not distinguish a missing value from a `null`: both are *missing* here. ``Field`` does.
    ///
    /// If the field's key in the JSON differs from its name in Swift, pass it as `key`. The path then has the key, and
    /// the issue has both.
    ///
    /// ```swift
    /// try dto.name.require("name", key: "nm")              // $.nm: missing … (property name)
    /// ```
    /// - Parameters:
    ///   - name: The field's name for the path, or its path from the DTO (`address.city`); omit it only if the value is
    ///     the whole DTO.
    ///   - key: The field's key or path in the JSON, if it differs from the name.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - function: The caller's function, for the error.
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
    /// Returns the error of a missing value. A separate function, so that the success path of `require` is only a test
    /// and a return.
    @usableFromInline
    static func missing(
        _ name: String?,
        key: String?,
        as type: Any.Type,
        at source: MappingIssue.SourceLocation
    ) -> MappingError {
        let issue = MappingIssue(.missing, expected: typeName(type), source: source)
        return MappingError(issue.located(atField: name, key: key))
    }
}
