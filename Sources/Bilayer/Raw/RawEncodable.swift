/// A type of the lower layer that can be written into what the server reads.
///
/// The counterpart of ``RawDecodable``; free for `Encodable` types whose ``Raw`` is ``Json``.
///
/// ```swift
/// struct PhotoEntry: Codable, RawEncodable {
///     let id: String
/// }
/// let json = try PhotoEntry(id: "p1").toRaw()          // {"id":"p1"}
/// ```
public protocol RawEncodable: SendableMetatype {
    /// What the type is written as: ``Json``, `Data`, or a ``RawBody`` of your own.
    associatedtype Raw = Json

    /// Writes the value.
    /// - Returns: What goes to the server.
    /// - Throws: ``MappingError``, or the type's own error, when the value cannot be written.
    func toRaw() throws -> Raw
}

/// A type of the lower layer that goes both ways.
public typealias RawMappable = RawDecodable & RawEncodable
