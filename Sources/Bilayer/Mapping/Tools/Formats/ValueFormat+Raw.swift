extension ValueFormat {
    /// Writes a value as a type of the lower layer, for `toDTO()`.
    ///
    /// ```swift
    /// let created: String = try ValueFormat.rfc3339.write(Date(timeIntervalSince1970: 0), as: String.self)
    /// ```
    /// - Parameters:
    ///   - value: The value.
    ///   - type: The type of the lower layer.
    /// - Returns: The value in this format.
    /// - Throws: ``MappingError`` if this format cannot represent the value, or represents it as another type. Also
    ///   throws what the format's closure for writing throws.
    public func write<Stored: RawDecodable>(_ value: Value, as type: Stored.Type) throws -> Stored
    where Stored.Raw == Json {
        try Stored.from(raw: write(value))
    }
}
