/// An entry whose `from(raw:)` is written by hand, and that is used inside `Codable` entries, too.
///
/// A synthesized `init(from:)` reads its properties by their `init(from:)`, and never by `from(raw:)`. With this
/// protocol `init(from:)` calls `from(raw:)`, so a value is read in one way wherever it is. Choose it instead of
/// `Decodable` for such an entry; ``Discriminated`` does the same for variants.
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
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }

    /// Not there: a type that is read by hand says how.
    @available(*, unavailable, message: "write 'from(raw:)' by hand, or conform to 'Decodable' and 'RawDecodable'")
    public static func from(raw: Json) throws -> Self { throw MappingError(.wrongType(in: raw, expected: Self.self)) }
}

/// An entry whose `toRaw()` is written by hand, and that is used inside `Codable` entries, too.
///
/// `encode(to:)` calls `toRaw()`, so a value is written in one way wherever it is. ``DecodableByHand`` has an example.
public protocol EncodableByHand: RawEncodable, Encodable where Raw == Json {}

extension EncodableByHand {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value and what `toRaw()` could not write; what the encoder
    ///   throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }

    /// Not there: a type that is written by hand says how.
    @available(*, unavailable, message: "write 'toRaw()' by hand, or conform to 'Encodable' and 'RawEncodable'")
    public func toRaw() throws -> Json { .null }
}

/// An entry that is read and written by hand, and used inside `Codable` entries, too: see ``DecodableByHand``.
public typealias CodableByHand = DecodableByHand & EncodableByHand
