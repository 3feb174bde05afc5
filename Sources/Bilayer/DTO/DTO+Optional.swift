extension Optional: DTODecodable where Wrapped: DTODecodable {
    /// `nil` stays `nil`.
    /// - Parameter dto: The value of the lower layer, if there is one.
    /// - Returns: The model, if there is a value.
    /// - Throws: What the wrapped model throws.
    public static func from(dto: Wrapped.DTO?) throws -> Wrapped? {
        try dto.map { try Wrapped.converted(from: $0) }
    }
}

extension Optional: DTOEncodable where Wrapped: DTOEncodable {
    /// `nil` stays `nil`.
    /// - Returns: The value of the lower layer, if there is a model.
    /// - Throws: What the wrapped model throws.
    public func toDTO() throws -> Wrapped.DTO? {
        try map { try $0.converted() }
    }
}
