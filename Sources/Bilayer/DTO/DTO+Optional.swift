extension Optional: DTODecodable where Wrapped: DTODecodable {
    /// `nil` stays `nil`; under a policy that salvages, a value that cannot be converted becomes `nil`, too.
    /// - Parameter dto: The value of the lower layer, if there is one.
    /// - Returns: The model, if there is a value.
    /// - Throws: What the wrapped model throws.
    @inlinable
    public static func from(dto: Wrapped.DTO?) throws -> Wrapped? {
        guard let dto else { return nil }
        return try salvagingOptional { try Wrapped.converted(from: dto) }
    }
}

extension Optional: DTOEncodable where Wrapped: DTOEncodable {
    /// `nil` stays `nil`.
    /// - Returns: The value of the lower layer, if there is a model.
    /// - Throws: What the wrapped model throws.
    @inlinable
    public func toDTO() throws -> Wrapped.DTO? {
        try map { try $0.converted() }
    }
}
