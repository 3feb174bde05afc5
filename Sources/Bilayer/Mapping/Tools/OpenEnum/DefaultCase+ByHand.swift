// An enum with a default case that is read by hand, or in a format of its own, has a default `init(from:)` of two
// protocols, one of them for each raw type. Neither default would take precedence, and the compiler would then
// synthesize a third form, without a warning. The following extensions are more special than both.

extension DefaultCase where Self: DecodableByHand, RawValue: Decodable {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Bool {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == String {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Double {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Float {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int8 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int16 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int32 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int64 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt8 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt16 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt32 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt64 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DefaultCase where Self: DecodableByHand, RawValue == Int128 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DefaultCase where Self: DecodableByHand, RawValue == UInt128 {
    /// Reads the value inside a `Codable` entry by its `from(raw:)`, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}
