/// A type of the lower layer that can be read from what the server sent.
///
/// Conform your `…Entry` types: structs that mirror the server's answer field by field. The ``Raw`` type is ``Json``
/// unless you say otherwise. A `Decodable` type needs no code at all; write ``from(raw:)`` by hand where speed or an
/// odd format asks for it.
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
/// Arrays, optionals, sets and dictionaries of such types are such types too, so `[UserEntry]` or
/// `[String: UserEntry?]` can be read as they are.
public protocol RawDecodable: SendableMetatype {
    /// What the type is read from: ``Json``, `Data`, or a ``RawBody`` of your own.
    associatedtype Raw = Json

    /// Reads a value.
    /// - Parameter raw: What the server sent for this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` with paths relative to `raw`; any other error gets its path from the caller.
    static func from(raw: Raw) throws -> Self
}
