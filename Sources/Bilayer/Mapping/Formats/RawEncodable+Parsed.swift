extension RawEncodable where Raw == Json {
    /// Reads this field of a DTO in a format, for `from(dto:)`.
    ///
    /// ```swift
    /// struct Booking: DTODecodable {
    ///     let createdAt: Date
    ///     static func from(dto: BookingEntry) throws -> Booking {
    ///         try Booking(createdAt: dto.created.parsed(as: .rfc3339, "created"))
    ///     }
    /// }
    /// struct BookingEntry: Codable, RawMappable { let created: String }
    /// // $.created: invalid value: expected an RFC 3339 date, found string (10 characters) at Booking.swift:4 from(dto:)
    /// ```
    /// For a field that may be nil, write `dto.paid?.parsed(as: .rfc3339, "paid")`.
    /// - Parameters:
    ///   - format: How the field is spelled.
    ///   - name: The field's name, for the path; leave it out only where the value is the whole DTO.
    ///   - fileID: The place of the rule.
    ///   - line: The place of the rule.
    ///   - function: The place of the rule.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if there is something else.
    public func parsed<Value>(
        as format: ValueFormat<Value>,
        _ name: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) throws -> Value {
        do {
            return try locating(at: name.map { .key($0) }) { try format.read(toRaw()) }
        } catch let error as MappingError {
            throw error.updatingIssues { issue in
                issue.source = issue.source ?? .init(fileID: fileID, line: line, function: function)
            }
        }
    }
}

extension Optional where Wrapped: RawEncodable, Wrapped.Raw == Json {
    /// Reads this field of a DTO, which must be there, in a format: `require` and `parsed` in one.
    /// - Parameters:
    ///   - format: How the field is spelled.
    ///   - name: The field's name, for the path; leave it out only where the value is the whole DTO.
    ///   - fileID: The place of the rule.
    ///   - line: The place of the rule.
    ///   - function: The place of the rule.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` of kind `missing` for nil, else as for a field that is not optional.
    public func parsed<Value>(
        as format: ValueFormat<Value>,
        _ name: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) throws -> Value {
        try require(name, fileID: fileID, line: line, function: function)
            .parsed(as: format, name, fileID: fileID, line: line, function: function)
    }
}
