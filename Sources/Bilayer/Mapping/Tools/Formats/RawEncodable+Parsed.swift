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
    /// // $.created: invalid value: expected an RFC 3339 date, found string (10 characters)
    /// //     at Booking.swift:4 from(dto:)
    /// ```
    /// For a field that may be `nil`, write `dto.paid.parsed(as: .optional(.rfc3339), "paid")`.
    /// - Parameters:
    ///   - format: The format of the field.
    ///   - name: The field's name, or its path such as `cover.link`; omit it only if the value is the whole DTO.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - function: The caller's function, for the error.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the field is not of this format.
    public func parsed<Value>(
        as format: ValueFormat<Value>,
        _ name: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) throws -> Value {
        do {
            return try locating(at: path(ofField: name)) { try format.read(toRaw()) }
        } catch let error as MappingError {
            throw error.updatingIssues { issue in
                issue.source = issue.source ?? .init(fileID: fileID, line: line, function: function)
            }
        }
    }
}

extension Optional where Wrapped: RawEncodable, Wrapped.Raw == Json {
    /// Reads this required field of a DTO in a format: `require` and `parsed` in one call.
    /// - Parameters:
    ///   - format: The format of the field.
    ///   - name: The field's name, for the path; omit it only if the value is the whole DTO.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - function: The caller's function, for the error.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` of kind `missing` for `nil`, or an error if the field is not of this format.
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

    /// Reads this optional field of a DTO in a format of optionals. A field that is `nil` gives `nil`. Under a policy
    /// that salvages, so does a value that is not of the format; it is reported as dropped.
    ///
    /// ```swift
    /// struct Album: DTODecodable {
    ///     let cover: URL?
    ///     static func from(dto: AlbumEntry) throws -> Album {
    ///         try Album(cover: dto.cover.parsed(as: .optional(.url), "cover"))
    ///     }
    /// }
    /// struct AlbumEntry: Codable, RawMappable { let cover: String? }
    /// ```
    /// - Parameters:
    ///   - format: The format of the field, such as `.optional(.url)`.
    ///   - name: The field's name, for the path; omit it only if the value is the whole DTO.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - function: The caller's function, for the error.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the field is not of this format, and the policy does not salvage.
    public func parsed<Value>(
        as format: ValueFormat<Value?>,
        _ name: String? = nil,
        fileID: String = #fileID,
        line: UInt = #line,
        function: String = #function
    ) throws -> Value? {
        guard let field = self else { return nil }
        return try locating(at: path(ofField: name)) {
            try salvagingOptional {
                try field.parsed(as: format, fileID: fileID, line: line, function: function)
            } ?? nil
        }
    }
}

private func path(ofField name: String?) -> JsonPath { name.map { JsonPath($0) ?? [.key($0)] } ?? .root }
