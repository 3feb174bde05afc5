/// An entry whose `from(raw:)` is written by hand, and that is also used inside `Codable` entries.
///
/// A synthesized `init(from:)` reads each property by the `init(from:)` of its type, and never by `from(raw:)`. With
/// this protocol, `init(from:)` calls `from(raw:)`. So the entry is read in the same way everywhere. Choose it instead
/// of `Decodable` for such an entry. ``Discriminated`` does the same for variants.
///
/// ```swift
/// struct PointEntry: CodableByHand {
///     let x: Double
///     let y: Double
///
///     static func from(raw: Json) throws -> PointEntry { try PointEntry(x: raw.decode(at: 0), y: raw.decode(at: 1)) }
///     func toRaw() throws -> Json {
///         try Json.array { point in
///             try point.append(x)
///             try point.append(y)
///         }
///     }
/// }
///
/// struct RouteEntry: Codable, RawMappable { let name: String; let points: [PointEntry] }
///
/// let route = try RouteEntry.from(raw: Json(parsing: #"{"name": "Home", "points": [[1, 2], [3, 4]]}"#))
/// print(try route.toRaw())     // {"name":"Home","points":[[1,2],[3,4]]}
/// ```
public protocol DecodableByHand: RawDecodable, Decodable where Raw == Json {}

extension DecodableByHand {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }

    /// Unavailable: a type that conforms must implement `from(raw:)`.
    @available(*, unavailable, message: "write 'from(raw:)' by hand, or conform to 'Decodable' and 'RawDecodable'")
    public static func from(raw: Json) throws -> Self { throw MappingError(.wrongType(in: raw, expected: Self.self)) }
}

/// An entry whose `toRaw()` is written by hand, and that is also used inside `Codable` entries.
///
/// With this protocol, `encode(to:)` calls `toRaw()`. So the entry is written in the same way everywhere.
/// ``DecodableByHand`` has an example.
public protocol EncodableByHand: RawEncodable, Encodable where Raw == Json {}

extension EncodableByHand {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }

    /// Unavailable: a type that conforms must implement `toRaw()`.
    @available(*, unavailable, message: "write 'toRaw()' by hand, or conform to 'Encodable' and 'RawEncodable'")
    public func toRaw() throws -> Json { .null }
}

/// An entry that is read and written by hand, and is also used inside `Codable` entries: see ``DecodableByHand``.
public typealias CodableByHand = DecodableByHand & EncodableByHand
