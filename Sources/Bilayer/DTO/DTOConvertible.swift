/// A type of the app's own layer that can be made from what the server speaks.
///
/// Conform your app models: non-optional, strongly typed, in the words of the app. The ``DTO`` is usually an `…Entry`,
/// but any type may stand there: a generated fragment flows in without a parallel type. The conversion is the one place
/// that decides what a missing or odd value means.
///
/// ```swift
/// struct User: DTODecodable {
///     let name: String
///     let photos: [Photo]
///
///     static func from(dto: UserEntry) throws -> User {
///         try User(
///             name: dto.name.require("name"),
///             photos: .from(dto: dto.photos, at: "photos"))
///     }
/// }
/// ```
///
/// Arrays, optionals, sets and dictionaries of models are models too: `[User]` is made from `[UserEntry]`, `User?` from
/// `UserEntry?`.
public protocol DTODecodable: SendableMetatype {
    /// What the model is made from.
    associatedtype DTO

    /// Makes the model.
    /// - Parameter dto: The value of the lower layer.
    /// - Returns: The model.
    /// - Throws: ``MappingError`` with paths relative to `dto`; any other error gets its path from the caller.
    static func from(dto: DTO) throws -> Self
}

extension DTODecodable {
    /// Makes the model from a field of a larger DTO, so that an error's path goes through that field.
    ///
    /// ```swift
    /// let photos = try [Photo].from(dto: userEntry.photos, at: "photos")         // a fault reads $.photos[2].ref
    /// ```
    /// - Parameters:
    ///   - dto: The value of the lower layer.
    ///   - key: The name of its field.
    /// - Returns: The model.
    /// - Throws: ``MappingError`` whose path starts with `key`.
    @inlinable
    public static func from(dto: DTO, at key: String) throws -> Self {
        try locating(at: .key(key), owner: conversion) { try from(dto: dto) }
    }

    /// ``from(dto:)`` with the two types put into each error and issue that names none.
    @inlinable
    static func converted(from dto: DTO) throws -> Self {
        try locating(at: nil, owner: conversion) { try from(dto: dto) }
    }

    /// The two types, for issues: `PhotoEntry -> Photo`.
    @usableFromInline static var conversion: String { "\(typeName(DTO.self)) -> \(typeName(Self.self))" }
}

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

extension Array: DTODecodable where Element: DTODecodable {
    /// Makes the models one by one.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models in the same order.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    @inlinable
    public static func from(dto: [Element.DTO]) throws -> [Element] {
        try dto.mapElements(owner: Element.conversion) { try Element.from(dto: $0) }
    }

    /// Makes the models of a field of a larger DTO, so that an error's path goes through that field and the element.
    /// - Parameters:
    ///   - dto: The values of the lower layer.
    ///   - key: The name of their field.
    /// - Returns: The models in the same order.
    /// - Throws: ``MappingError`` whose path starts with `key`.
    @inlinable
    public static func from(dto: [Element.DTO], at key: String) throws -> [Element] {
        // The elements look for a session themselves: one look less for each list of each model.
        do {
            return try dto.mapElements(at: key, owner: Element.conversion) { try Element.from(dto: $0) }
        } catch {
            throw MappingError.located(error, at: .key(key))
        }
    }
}

extension Set: DTODecodable where Element: DTODecodable {
    /// Makes the models one by one; equal ones are kept once.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    @inlinable
    public static func from(dto: [Element.DTO]) throws -> Set<Element> {
        Set(try dto.mapElements(owner: Element.conversion) { try Element.from(dto: $0) })
    }
}

extension Dictionary: DTODecodable where Key: CodingKeyRepresentable, Value: DTODecodable {
    /// Makes the models one by one; keys stay as they are.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models under the same keys.
    /// - Throws: ``MappingError`` whose path starts with the key of the member that failed.
    @inlinable
    public static func from(dto: [Key: Value.DTO]) throws -> [Key: Value] {
        try dto.mapMembers(owner: Value.conversion) { try Value.from(dto: $0) }
    }
}

extension Array: DTOEncodable where Element: DTOEncodable {
    /// Turns the models one by one.
    /// - Returns: The values of the lower layer in the same order.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    @inlinable
    public func toDTO() throws -> [Element.DTO] {
        try mapElements(owner: Element.reverseConversion) { try $0.toDTO() }
    }
}

extension Set: DTOEncodable where Element: DTOEncodable {
    /// Turns the models one by one, in no particular order.
    /// - Returns: The values of the lower layer.
    /// - Throws: ``MappingError`` whose path starts with the position of the element that failed.
    @inlinable
    public func toDTO() throws -> [Element.DTO] {
        try mapElements(owner: Element.reverseConversion) { try $0.toDTO() }
    }
}

extension Dictionary: DTOEncodable where Key: CodingKeyRepresentable, Value: DTOEncodable {
    /// Turns the models one by one; keys stay as they are.
    /// - Returns: The values of the lower layer under the same keys.
    /// - Throws: ``MappingError`` whose path starts with the key of the member that failed.
    @inlinable
    public func toDTO() throws -> [Key: Value.DTO] {
        try mapMembers(owner: Value.reverseConversion) { try $0.toDTO() }
    }
}

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
