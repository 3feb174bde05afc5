/// A type of the app's own layer that can be turned into what the server speaks.
///
/// The counterpart of ``DTODecodable``, for models that are sent.
///
/// ```swift
/// extension Photo: DTOEncodable {
///     func toDTO() throws -> PhotoEntry { PhotoEntry(id: id.rawValue, ref: image.absoluteString) }
/// }
/// ```
public protocol DTOEncodable {
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
    public func toDTO(at key: String) throws -> DTO {
        do {
            return try converted()
        } catch {
            throw MappingError.located(error, at: .key(key))
        }
    }

    /// ``toDTO()`` with the two types put into an error that does not name any yet.
    func converted() throws -> DTO {
        do {
            return try toDTO()
        } catch {
            throw MappingError.owned(error, by: "\(typeName(Self.self)) -> \(typeName(DTO.self))")
        }
    }
}
