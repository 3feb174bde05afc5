extension Optional: RawDecodable where Wrapped: RawDecodable, Wrapped.Raw == Json {
    /// What an optional is read from.
    public typealias Raw = Json

    /// Reads `null` as `nil`, anything else as the wrapped type; under a policy that salvages, what is of another type
    /// becomes `nil`.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: What the wrapped type throws.
    @inlinable
    public static func from(raw: Json) throws -> Wrapped? {
        raw.isNull ? nil : try salvagingOptional { try Wrapped.from(raw: raw) }
    }
}

extension Optional: RawEncodable where Wrapped: RawEncodable, Wrapped.Raw == Json {
    /// Writes `nil` as `null`.
    /// - Returns: The JSON of this value.
    /// - Throws: What the wrapped type throws.
    public func toRaw() throws -> Json {
        try self?.toRaw() ?? .null
    }
}
