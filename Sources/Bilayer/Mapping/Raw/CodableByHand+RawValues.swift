// A type that is `RawRepresentable`, such as an enum with raw values, has two defaults of `init(from:)` and
// `encode(to:)`: those of this library and those of the standard library for its raw type. Neither would take
// precedence, and the compiler would then synthesize a third form, without a warning. The following extensions are more
// specialized than both defaults, so they are used.

extension DecodableByHand where Self: RawRepresentable, RawValue == Bool {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Bool {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == String {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == String {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Double {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Double {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Float {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Float {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int8 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int8 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int16 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int16 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int32 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int32 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == Int64 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == Int64 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DecodableByHand where Self: RawRepresentable, RawValue == Int128 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension EncodableByHand where Self: RawRepresentable, RawValue == Int128 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt8 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt8 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt16 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt16 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt32 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt32 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

extension DecodableByHand where Self: RawRepresentable, RawValue == UInt64 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

extension EncodableByHand where Self: RawRepresentable, RawValue == UInt64 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension DecodableByHand where Self: RawRepresentable, RawValue == UInt128 {
    /// Lets the value be a field of a `Codable` entry: returns what `from(raw:)` returns. Works with any decoder.
    /// - Parameter decoder: The decoder.
    /// - Throws: `DecodingError.dataCorrupted`, with the ``MappingError`` as its underlying error, if `from(raw:)`
    ///   fails. Also throws what the decoder throws.
    public init(from decoder: any Decoder) throws { self = try decoder.mapping { try Self.from(raw: $0) } }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension EncodableByHand where Self: RawRepresentable, RawValue == UInt128 {
    /// Lets the value be a field of a `Codable` entry: writes what `toRaw()` returns. Works with any encoder.
    /// - Parameter encoder: The encoder.
    /// - Throws: ``MappingError`` with the path of the value, if `toRaw()` fails. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try encoder.write { try toRaw() } }
}
