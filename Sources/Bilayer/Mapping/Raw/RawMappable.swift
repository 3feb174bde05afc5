public import Foundation

/// A type of the lower layer that can be read from a server's response.
///
/// Conform your `…Entry` types: structs that mirror the server's response field by field. The ``Raw`` type is ``Json``
/// by default. With this default, a `Decodable` type needs no code. Write ``from(raw:)`` by hand for speed or for an
/// unusual format.
///
/// ```swift
/// struct UserEntry: Codable, RawDecodable {            // free for Codable types
///     let name: String
///     let age: Int
/// }
///
/// struct PointEntry: RawDecodable {                    // by hand
///     let x: Double
///     let label: String?
///     static func from(raw: Json) throws -> PointEntry {
///         try PointEntry(x: raw.decode("x"), label: raw.decodeIfPresent("label"))
///     }
/// }
/// ```
///
/// If ``Raw`` is ``Json``, arrays, optionals, sets and dictionaries of the type conform, too. So `[UserEntry]` or
/// `[String: UserEntry?]` can be read directly. Under a policy that salvages, collections leave out the values that
/// fail.
public protocol RawDecodable: SendableMetatype {
    /// The raw type: ``Json``, `Data`, or your own ``RawBody``.
    associatedtype Raw = Json

    /// Reads a value.
    /// - Parameter raw: The received data of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with paths relative to `raw`. Any other error is allowed, too, and gets its path from
    ///   the caller, except a `CancellationError`.
    static func from(raw: Raw) throws -> Self
}

/// A type of the lower layer that can be written for a server.
///
/// The counterpart of ``RawDecodable``. An `Encodable` type whose ``Raw`` is ``Json`` needs no code.
///
/// ```swift
/// struct PhotoEntry: Codable, RawEncodable {
///     let id: String
/// }
/// let json = try PhotoEntry(id: "p1").toRaw()          // {"id":"p1"}
/// ```
public protocol RawEncodable: SendableMetatype {
    /// The raw type: ``Json``, `Data`, or your own ``RawBody``.
    associatedtype Raw = Json

    /// Writes the value.
    /// - Returns: The data for the server.
    /// - Throws: ``MappingError``, or another error of the type, if the value cannot be written.
    func toRaw() throws -> Raw
}

/// A type of the lower layer that can be read and written.
public typealias RawMappable = RawDecodable & RawEncodable

extension Json: RawDecodable, RawEncodable {
    /// JSON is read from itself, without a conversion.
    public typealias Raw = Json

    /// Returns the value unchanged.
    public static func from(raw: Json) -> Json { raw }

    /// Returns the value unchanged.
    public func toRaw() -> Json { self }
}

extension Data: RawDecodable, RawEncodable {
    /// Bytes are read from bytes: the body is not changed.
    public typealias Raw = Data

    /// Returns the bytes unchanged.
    public static func from(raw: Data) -> Data { raw }

    /// Returns the bytes unchanged.
    public func toRaw() -> Data { self }
}

/// The response of a route without a result: 204, an empty body, or a body that is ignored.
///
/// ```swift
/// extension Route where Response == NoContent {
///     static func remove(_ id: Int) -> Route { .delete("users/{id}", ["id": id]) }
/// }
/// ```
/// `Route<Void>` works as well. `NoContent` is for code that needs a type with conformances, which `Void` cannot have.
public struct NoContent: Sendable, Hashable, RawDecodable {
    /// The raw type: the bytes of any body.
    public typealias Raw = Data

    /// Makes the only value.
    public init() {}

    /// Ignores the body.
    public static func from(raw: Data) -> NoContent { NoContent() }
}

extension Optional: RawDecodable where Wrapped: RawDecodable, Wrapped.Raw == Json {
    /// The raw type of an optional.
    public typealias Raw = Json

    /// Reads `null` as `nil`, and any other value as the wrapped type. Under a policy that salvages, a value that
    /// cannot be read becomes `nil`.
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
