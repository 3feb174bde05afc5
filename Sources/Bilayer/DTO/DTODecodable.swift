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
