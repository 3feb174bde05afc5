extension Optional {
    /// Returns the value, or a default for `nil`. The use of the default is reported as ``MappingIssue/Severity/info``.
    ///
    /// Choose it in `from(dto:)` for values that the app does not require. Unlike `??`, it reports that the server left
    /// the value out:
    ///
    /// ```swift
    /// let numberOfReviews = dto.numberOfReviews.default(0, "numberOfReviews")
    /// // info  $.products[2].numberOfReviews  used default: expected Int, found nothing
    /// //     in ProductEntry -> Product at Product.swift:12 from(dto:)
    /// ```
    /// An optional does not distinguish a missing value from a `null`; ``Field`` does.
    /// - Parameters:
    ///   - value: The default; evaluated only if it is needed.
    ///   - name: The field's name, or the path that leads to it from the DTO.
    ///   - key: The field's key in the JSON, if it differs from the name.
    ///   - fileID: The caller's file, for the issue.
    ///   - line: The caller's line, for the issue.
    ///   - function: The caller's function, for the issue.
    /// - Returns: The value or the default.
    /// - Throws: The error of the default.
    @inlinable
    public func `default`(
        _ value: @autoclosure () throws -> Wrapped,
        _ name: String? = nil,
        key: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) rethrows -> Wrapped {
        if let self { return self }
        let source = MappingIssue.SourceLocation(fileID: fileID, line: line, function: function)
        MappingIssue.reportDefault(for: name, key: key, of: Wrapped.self, found: "nothing", at: source)
        return try value()
    }
}

extension MappingIssue {
    @usableFromInline
    static func reportDefault(
        for name: String?,
        key: String?,
        of type: Any.Type,
        found: String,
        at source: SourceLocation
    ) {
        guard let log = IssueLog.current else { return }
        let issue = MappingIssue(
            .usedDefault,
            severity: .info,
            expected: typeName(type),
            found: Found(type: found),
            source: source
        )
        log.add(issue.located(atField: name, key: key))
    }
}
