/// A collection of a `Codable` entry that leaves out invalid elements instead of failing. Each omission is reported.
///
/// Choose it for collections that are useful when incomplete: a feed, a list of offers. It works for arrays, sets and
/// dictionaries, and for optionals of them, with every decoder.
///
/// ```swift
/// struct OrderEntry: Codable, RawMappable {
///     @Lossy var items: [ItemEntry]                // warning  $.items[3]  dropped: $.items[3].sku: missing …
///     @Lossy var prices: [String: Decimal]?        // may be missing or null
/// }
/// ```
/// Reading fails if all elements would be left out, or if the loss exceeds ``MappingPolicy/toleratedLoss`` or the
/// property's own limit (``LossyUpTo``). A collection that was sent empty is valid. Reading also fails if the
/// collection is of another type, or is missing and not optional. Under a policy that salvages, an optional collection
/// that cannot be read becomes `nil`. Under a policy that treats warnings as errors, nothing is left out. For models
/// see ``Swift/Array/lossy(from:at:tolerating:)``. For entries that are read by hand see
/// `Json.decodeLossy(_:tolerating:)`.
public typealias Lossy<Value> = LossyUpTo<AnyLoss, Value>

/// A type that names the part of a collection that a property may lose, for ``LossyUpTo``.
public protocol LossLimit: SendableMetatype {
    /// The part that may be lost, from 0 to 1.
    static var toleratedLoss: Double { get }
}

/// The limit of ``Lossy``: any loss, if at least one element is left.
public enum AnyLoss: LossLimit {
    /// Everything but one element.
    public static var toleratedLoss: Double { 1 }
}

/// A ``Lossy`` collection with a limit.
///
/// Choose it if a few invalid elements are acceptable, but many indicate an error. A synthesized `init(from:)`
/// knows only the type of a field, so a type names the limit:
///
/// ```swift
/// struct FeedEntry: Codable, RawMappable {
///     enum Half: LossLimit { static let toleratedLoss = 0.5 }
///
///     @LossyUpTo<Half, [ItemEntry]> var items: [ItemEntry]
/// }
/// ```
/// The policy can lower the limit, but not raise it.
@propertyWrapper
public struct LossyUpTo<Limit: LossLimit, Value> {
    /// The elements that could be read.
    public var wrappedValue: Value

    /// Makes the field with a collection.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

extension LossyUpTo: Sendable where Value: Sendable {}
extension LossyUpTo: Equatable where Value: Equatable {}
extension LossyUpTo: Hashable where Value: Hashable {}

extension LossyUpTo: Decodable where Value: LossyCollection {
    /// Reads the elements that can be read.
    /// - Throws: `DecodingError` if there is no collection; ``MappingError`` if more than the limit was lost, or
    ///   everything. Under a policy that treats warnings as errors, also ``MappingError`` for an invalid element.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value.lossy(from: decoder, tolerating: Limit.toleratedLoss)
    }
}

extension LossyUpTo: PlaceholderMaking where Value: LossyCollection {
    static func placeholder(_ choice: PlaceholderValue.Choice) -> LossyUpTo? {
        if let value = Value.valueIfMissing { return LossyUpTo(wrappedValue: value) }
        guard let value = PlaceholderValue.value(of: Value.self, choice) as? Value else { return nil }
        return LossyUpTo(wrappedValue: value)
    }
}

extension LossyUpTo: Encodable where Value: Encodable {
    /// Writes the collection.
    /// - Throws: The error of the value or of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Reads a lossy collection. The synthesized `init(from:)` calls this.
    /// - Throws: `DecodingError` if there is no collection; ``MappingError`` if more than the limit was lost, or
    ///   everything. Under a policy that treats warnings as errors, also ``MappingError`` for an invalid element.
    public func decode<Limit: LossLimit, Value: LossyCollection>(
        _ type: LossyUpTo<Limit, Value>.Type,
        forKey key: Key
    ) throws -> LossyUpTo<Limit, Value> {
        guard let value = Value.valueIfMissing else { return try decodePresent(type, forKey: key) }
        return try decodeIfPresent(type, forKey: key) ?? LossyUpTo(wrappedValue: value)
    }

    /// Reads a value by its own `init(from:)`. For a generic `Value`, the compiler does not choose the overload above.
    private func decodePresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(type, forKey: key)
    }
}

extension KeyedEncodingContainer {
    /// Writes an optional lossy collection; writes nothing for `nil`. The synthesized `encode(to:)` calls this.
    /// - Throws: The error of the value or of the encoder.
    public mutating func encode<Limit: LossLimit, Value: Encodable>(
        _ lossy: LossyUpTo<Limit, Value?>,
        forKey key: Key
    ) throws {
        try encodeIfPresent(lossy.wrappedValue, forKey: key)
    }
}
