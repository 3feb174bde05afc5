// An enum with a default case can also be read by hand, or in a format of its own. Then two protocols have a default
// `init(from:)` for it; one of the protocols has a default for each raw type. Neither default takes precedence, so the
// compiler would synthesize a third form, without a warning. The following extensions are more specialized than both
// defaults, so they are used.

extension DefaultCase where Self: DecodableByHand, RawValue: Decodable {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Bool {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == String {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Double {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Float {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int8 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int16 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int32 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == Int64 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt8 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt16 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt32 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension DefaultCase where Self: DecodableByHand, RawValue == UInt64 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DefaultCase where Self: DecodableByHand, RawValue == Int128 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DefaultCase where Self: DecodableByHand, RawValue == UInt128 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}
