extension ValueFormat {
    /// Writes a value into a type of the lower layer, for `toDTO()`.
    ///
    /// ```swift
    /// let created: String = try ValueFormat.rfc3339.write(Date(timeIntervalSince1970: 0), as: String.self)
    /// ```
    /// - Parameters:
    ///   - value: The value.
    ///   - type: What to write it as.
    /// - Returns: The spelled value.
    /// - Throws: ``MappingError`` if this format cannot spell the value, or spells it as something else.
    public func write<Stored: RawDecodable>(_ value: Value, as type: Stored.Type) throws -> Stored
    where Stored.Raw == Json {
        try Stored.from(raw: write(value))
    }
}
