/// A model: a type of the upper layer that can be made from a type of the lower layer.
///
/// Conform the app's models: types with the app's names, strongly typed and non-optional. The ``DTO`` is the type of
/// the lower layer. It is usually an `…Entry`, but any type is possible, for example a generated fragment. Only the
/// conversion decides what a missing or unusual value means.
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
/// `UserEntry?`. Under a policy that salvages, collections leave out the models that fail.
public protocol DTODecodable: SendableMetatype {
    /// The type that the model is made from.
    associatedtype DTO

    /// Makes the model.
    /// - Parameter dto: The value of the lower layer.
    /// - Returns: The model.
    /// - Throws: ``MappingError`` with paths relative to `dto`, or any other error. The caller adds the path of `dto`,
    ///   except to a `CancellationError`.
    static func from(dto: DTO) throws -> Self
}

extension DTODecodable {
    /// Makes the model from a field of a larger DTO. An error's path starts with that field.
    ///
    /// ```swift
    /// let photos = try [Photo].from(dto: userEntry.photos, at: "photos")         // errors are at $.photos[2].ref
    /// ```
    /// - Parameters:
    ///   - dto: The value of the lower layer.
    ///   - key: The field's key in the JSON: the field's name, unless `CodingKeys` rename it. For a key several levels
    ///     deep use ``from(_:of:key:)``.
    /// - Returns: The model.
    /// - Throws: ``MappingError`` whose path starts with `key`.
    @inlinable
    public static func from(dto: DTO, at key: String) throws -> Self {
        try locating(at: .key(key), owner: conversion) { try from(dto: dto) }
    }

    /// Calls ``from(dto:)``, and adds the names of both types to each error and issue that names no type yet.
    @inlinable
    static func converted(from dto: DTO) throws -> Self {
        try locating(at: nil, owner: conversion) { try from(dto: dto) }
    }

    /// The names of both types, as issues show them: `PhotoEntry -> Photo`.
    @usableFromInline static var conversion: String { "\(typeName(DTO.self)) -> \(typeName(Self.self))" }
}

/// A type of the upper layer that can be converted to a type of the lower layer.
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
    /// The type that the model is converted to.
    associatedtype DTO

    /// Converts the model to a value of the lower layer.
    /// - Returns: The value of the lower layer.
    /// - Throws: ``MappingError``, or the model's own error, if the model cannot be converted.
    func toDTO() throws -> DTO
}

/// A model with conversions in both directions.
public typealias DTOConvertible = DTODecodable & DTOEncodable

extension DTOEncodable {
    /// Converts a field of a larger model. An error's path starts with that field.
    /// - Parameter key: The name of the field.
    /// - Returns: The value of the lower layer.
    /// - Throws: ``MappingError`` whose path starts with `key`.
    @inlinable
    public func toDTO(at key: String) throws -> DTO {
        try locating(at: .key(key), owner: Self.reverseConversion) { try toDTO() }
    }

    /// Calls ``toDTO()``, and adds the names of both types to each error and issue that names no type yet.
    @inlinable
    func converted() throws -> DTO {
        try locating(at: nil, owner: Self.reverseConversion) { try toDTO() }
    }

    /// The names of both types, as issues show them: `Photo -> PhotoEntry`.
    @usableFromInline static var reverseConversion: String { "\(typeName(Self.self)) -> \(typeName(DTO.self))" }
}

extension Array: DTODecodable where Element: DTODecodable {
    /// Makes the models one by one.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models in the same order.
    /// - Throws: ``MappingError``. For an element that failed, its path starts with the element's index.
    @inlinable
    public static func from(dto: [Element.DTO]) throws -> [Element] {
        try checkStackSpace()
        return try dto.mapElements(owner: Element.conversion) { try Element.from(dto: $0) }
    }

    /// Makes the models from a field of a larger DTO. An error's path starts with that field and the element's index.
    /// - Parameters:
    ///   - dto: The values of the lower layer.
    ///   - key: The field's key in the JSON: the field's name, unless `CodingKeys` rename it.
    /// - Returns: The models in the same order.
    /// - Throws: ``MappingError`` whose path starts with `key`.
    @inlinable
    public static func from(dto: [Element.DTO], at key: String) throws -> [Element] {
        // `mapElements` looks for the issue log and adds `key` to issues. `locating` would look for the log a second
        // time.
        do {
            try checkStackSpace()
            return try dto.mapElements(at: key, owner: Element.conversion) { try Element.from(dto: $0) }
        } catch {
            throw MappingError.located(error, at: .key(key))
        }
    }
}

extension Set: DTODecodable where Element: DTODecodable {
    /// Makes the models one by one. Of equal models, one is kept.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models.
    /// - Throws: ``MappingError``. For an element that failed, its path starts with the element's index.
    @inlinable
    public static func from(dto: [Element.DTO]) throws -> Set<Element> {
        try checkStackSpace()
        return Set(try dto.mapElements(owner: Element.conversion) { try Element.from(dto: $0) })
    }
}

extension Dictionary: DTODecodable where Key: CodingKeyRepresentable, Value: DTODecodable {
    /// Makes the models one by one; keys are not changed.
    /// - Parameter dto: The values of the lower layer.
    /// - Returns: The models under the same keys.
    /// - Throws: ``MappingError``. For a member that failed, its path starts with the member's key.
    @inlinable
    public static func from(dto: [Key: Value.DTO]) throws -> [Key: Value] {
        try checkStackSpace()
        return try dto.mapMembers(owner: Value.conversion) { try Value.from(dto: $0) }
    }
}

extension Array: DTOEncodable where Element: DTOEncodable {
    /// Converts the models one by one.
    /// - Returns: The values of the lower layer in the same order.
    /// - Throws: ``MappingError``. For an element that failed, its path starts with the element's index.
    @inlinable
    public func toDTO() throws -> [Element.DTO] {
        try checkStackSpace()
        return try mapElements(owner: Element.reverseConversion) { try $0.toDTO() }
    }
}

extension Set: DTOEncodable where Element: DTOEncodable {
    /// Converts the models one by one, in no particular order.
    /// - Returns: The values of the lower layer.
    /// - Throws: ``MappingError``. For an element that failed, its path starts with the element's position.
    @inlinable
    public func toDTO() throws -> [Element.DTO] {
        try checkStackSpace()
        return try mapElements(owner: Element.reverseConversion) { try $0.toDTO() }
    }
}

extension Dictionary: DTOEncodable where Key: CodingKeyRepresentable, Value: DTOEncodable {
    /// Converts the models one by one; keys are not changed.
    /// - Returns: The values of the lower layer under the same keys.
    /// - Throws: ``MappingError``. For a member that failed, its path starts with the member's key.
    @inlinable
    public func toDTO() throws -> [Key: Value.DTO] {
        try checkStackSpace()
        return try mapMembers(owner: Value.reverseConversion) { try $0.toDTO() }
    }
}

extension Optional: DTODecodable where Wrapped: DTODecodable {
    /// Makes the model of a value; returns `nil` for `nil`. Under a policy that salvages, a value that cannot be
    /// converted becomes `nil`, too.
    /// - Parameter dto: The value of the lower layer, if there is one.
    /// - Returns: The model, if there is a value.
    /// - Throws: The error of the wrapped model.
    @inlinable
    public static func from(dto: Wrapped.DTO?) throws -> Wrapped? {
        guard let dto else { return nil }
        try checkStackSpace()
        return try salvagingOptional { try Wrapped.converted(from: dto) }
    }
}

extension Optional: DTOEncodable where Wrapped: DTOEncodable {
    /// Converts the model; returns `nil` for `nil`.
    /// - Returns: The value of the lower layer, if there is a model.
    /// - Throws: The error of the wrapped model.
    @inlinable
    public func toDTO() throws -> Wrapped.DTO? {
        guard let model = self else { return nil }
        try checkStackSpace()
        return try model.converted()
    }
}
