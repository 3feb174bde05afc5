/// A type of the app's own layer that can be turned into what the server speaks.
///
/// The counterpart of ``DTODecodable``, for models that are sent.
///
/// ```swift
/// struct Photo: DTOEncodable {
///     let id: String
///     let image: URL
///
///     func toDTO() throws -> PhotoEntry { PhotoEntry(id: id, ref: image.absoluteString) }
/// }
/// ```
public protocol DTOEncodable: SendableMetatype {
    /// What the model is turned into.
    associatedtype DTO

    /// Turns the model into a value of the lower layer.
    /// - Returns: The value of the lower layer.
    /// - Throws: ``MappingError``, or the model's own error, when it cannot be sent as it is.
    func toDTO() throws -> DTO
}

/// A model that goes both ways.
public typealias DTOConvertible = DTODecodable & DTOEncodable

extension DTOEncodable {
    /// Turns a field of a larger model, so that an error's path goes through that field.
    /// - Parameter key: The name of the field.
    /// - Returns: The value of the lower layer.
    /// - Throws: ``MappingError`` whose path starts with `key`.
    @inlinable
    public func toDTO(at key: String) throws -> DTO {
        try locating(at: .key(key), owner: Self.reverseConversion) { try toDTO() }
    }

    /// ``toDTO()`` with the two types put to what went wrong without naming any.
    @inlinable
    func converted() throws -> DTO {
        try locating(at: nil, owner: Self.reverseConversion) { try toDTO() }
    }

    /// The two types, for issues: `Photo -> PhotoEntry`.
    @usableFromInline static var reverseConversion: String { "\(typeName(Self.self)) -> \(typeName(DTO.self))" }
}
