// An enum with raw values, or another type that is `RawRepresentable`, has a default `init(from:)` and `encode(to:)` of
// the standard library, too: one for each raw type. Neither default would take precedence, and the compiler would then
// synthesize a third form, without a warning. The following extensions are more special than both.

extension DecodableByHand where Self: RawRepresentable, RawValue == Bool {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Bool {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == String {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == String {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Double {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Double {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Float {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Float {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int8 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int8 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int16 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int16 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int32 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int32 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int64 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int64 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DecodableByHand where Self: RawRepresentable, RawValue == Int128 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension EncodableByHand where Self: RawRepresentable, RawValue == Int128 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt8 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt8 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt16 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt16 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt32 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt32 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt64 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt64 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DecodableByHand where Self: RawRepresentable, RawValue == UInt128 {
    /// Reads the value by the `from(raw:)` of its type when a `Codable` entry contains it, with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension EncodableByHand where Self: RawRepresentable, RawValue == UInt128 {
    /// Writes the value inside a `Codable` entry by its `toRaw()`, with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}
