public import Foundation

/// A type of the lower layer that can be read from a server's response.
///
/// Conform your `…Entry` types: structs that mirror the server's response field by field. The ``Raw`` type is ``Json``
/// by default. A `Decodable` type needs no code. Write ``from(raw:)`` by hand for speed or for an unusual format.
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
/// Arrays, optionals, sets and dictionaries of such types conform, too. So `[UserEntry]` or `[String: UserEntry?]` can
/// be read directly.
public protocol RawDecodable: SendableMetatype {
    /// The raw type: ``Json``, `Data`, or your own ``RawBody``.
    associatedtype Raw = Json

    /// Reads a value.
    /// - Parameter raw: The received data of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with paths relative to `raw`; any other error gets its path from the caller.
    static func from(raw: Raw) throws -> Self
}

/// A type of the lower layer that can be written for a server.
///
/// The counterpart of ``RawDecodable``; the default for `Encodable` types whose ``Raw`` is ``Json``.
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
    /// - Throws: ``MappingError``, or the type's own error, when the value cannot be written.
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

    /// The bytes as they are.
    public static func from(raw: Data) -> Data { raw }

    /// The bytes as they are.
    public func toRaw() -> Data { self }
}

/// The response of a route without a result: 204, an empty body, or a body that is ignored.
///
/// ```swift
/// extension Route where Response == NoContent {
///     static func remove(_ id: Int) -> Route { .delete("users/{id}", ["id": id]) }
/// }
/// ```
/// `Route<Void>` works as well; `NoContent` is for code that needs a nominal type.
public struct NoContent: Sendable, Hashable, RawDecodable {
    /// Read from any body.
    public typealias Raw = Data

    /// Makes the one value.
    public init() {}

    /// Ignores the body.
    public static func from(raw: Data) -> NoContent { NoContent() }
}

extension Array: RawDecodable where Element: RawDecodable, Element.Raw == Json {
    /// The raw type of an array.
    public typealias Raw = Json

    /// Reads a JSON array element by element.
    /// - Parameter raw: The JSON array.
    /// - Returns: The elements in their order.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    @inlinable
    public static func from(raw: Json) throws -> [Element] {
        do {
            return try raw.decodeElements(Element.self)
        } catch {
            throw MappingError.placed(error, in: raw)
        }
    }
}

extension Set: RawDecodable where Element: RawDecodable, Element.Raw == Json {
    /// The raw type of a set.
    public typealias Raw = Json

    /// Reads a JSON array. Of equal elements one is kept.
    /// - Parameter raw: The JSON array.
    /// - Returns: The elements.
    /// - Throws: ``MappingError`` whose path starts with the index of the element that failed.
    public static func from(raw: Json) throws -> Set<Element> {
        Set(try Element.elements(of: raw, as: Self.self))
    }
}

extension Dictionary: RawDecodable where Key: CodingKeyRepresentable, Value: RawDecodable, Value.Raw == Json {
    /// The raw type of a dictionary.
    public typealias Raw = Json

    /// Reads a JSON object. Keys are strings, or types that convert to one (`CodingKeyRepresentable`).
    /// - Parameter raw: The JSON object.
    /// - Returns: The members.
    /// - Throws: ``MappingError`` whose path starts with the key of the member that failed.
    @inlinable
    public static func from(raw: Json) throws -> [Key: Value] {
        if Key.self == String.self, let members = try raw.decodeMembers(Value.self) as? [Key: Value] { return members }
        return try members(of: raw)
    }

    @usableFromInline
    static func members(of raw: Json) throws -> [Key: Value] {
        guard raw.kind == .object else { throw MappingError(.wrongType(in: raw, expected: Self.self)) }
        try StackRoom.check()
        raw.noteDocument()
        let counting = raw.countingMembers
        let members = try locating(at: nil, in: raw) {
            try counting.mapMembers(
                count: counting.count,
                owner: typeName(Value.self),
                name: { $0 },
                transform: { (try Key.read($0, at: .root), try Value.from(raw: $1)) }
            )
        }
        return counting.dictionary(of: members.lazy.map(\.value))
    }
}

extension RawDecodable where Raw == Json {
    /// The elements of a JSON array, for the conformances above.
    fileprivate static func elements(of raw: Json, as container: Any.Type) throws -> [Self] {
        guard raw.kind == .array else { throw MappingError(.wrongType(in: raw, expected: container)) }
        try StackRoom.check()
        raw.noteDocument()
        return try locating(at: nil, in: raw) {
            try raw.elements.mapElements(owner: typeName(Self.self)) { try Self.from(raw: $0) }
        }
    }
}

extension Optional: RawDecodable where Wrapped: RawDecodable, Wrapped.Raw == Json {
    /// The raw type of an optional.
    public typealias Raw = Json

    /// Reads `null` as `nil`, and any other value as the wrapped type. Under a policy that salvages, a value of another
    /// type becomes `nil`.
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
