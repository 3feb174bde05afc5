/// A collection of a `Codable` entry that loses its bad elements instead of failing with them, each with a report.
///
/// Choose it where some elements are better than none: a feed, a list of offers. Works for arrays, sets and
/// dictionaries, and for optionals of them, with every decoder.
///
/// ```swift
/// struct OrderEntry: Codable, RawMappable {
///     @Lossy var items: [ItemEntry]                // warning  $.items[3]  dropped: $.items[3].sku: missing …
///     @Lossy var prices: [String: Decimal]?        // may be missing or null
/// }
/// ```
/// It is an error if no element is left, if the loss exceeds ``MappingPolicy/toleratedLoss`` or the property's own
/// limit (``LossyUpTo``), and if the collection is missing or of another type. A policy that treats warnings as errors
/// drops nothing. For models see ``Swift/Array/lossy(from:at:tolerating:)``, for entries by hand
/// `Json.decodeLossy(_:)`.
public typealias Lossy<Value> = LossyUpTo<AnyLoss, Value>

/// The part of a collection that one property may lose: see ``LossyUpTo``.
public protocol LossLimit: SendableMetatype {
    /// That part, from 0 to 1.
    static var toleratedLoss: Double { get }
}

/// Any loss, as long as something is left: the limit of ``Lossy``.
public enum AnyLoss: LossLimit {
    /// Everything but one element.
    public static var toleratedLoss: Double { 1 }
}

/// A ``Lossy`` collection with a limit of its own.
///
/// Choose it where a few bad elements are better forgotten, but many mean that something is wrong. A compiler-written
/// `init(from:)` sees types only, so the limit is named by a type:
///
/// ```swift
/// struct FeedEntry: Codable, RawMappable {
///     enum Half: LossLimit { static let toleratedLoss = 0.5 }
///
///     @LossyUpTo<Half, [ItemEntry]> var items: [ItemEntry]
/// }
/// ```
/// The policy may allow less, never more.
@propertyWrapper
public struct LossyUpTo<Limit: LossLimit, Value> {
    /// The collection with what could be read.
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
    /// Reads what can be read.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value.lossy(from: decoder, tolerating: Limit.toleratedLoss)
    }
}

extension LossyUpTo: Encodable where Value: Encodable {
    /// Writes the collection.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Reads a lossy collection. The compiler's own `init(from:)` calls this.
    public func decode<Limit: LossLimit, Value: LossyCollection>(
        _ type: LossyUpTo<Limit, Value>.Type,
        forKey key: Key
    ) throws -> LossyUpTo<Limit, Value> {
        if let lossy = try decodeIfPresent(type, forKey: key) { return lossy }
        if let value = Value.valueIfMissing { return LossyUpTo(wrappedValue: value) }
        if contains(key) {
            throw DecodingError.valueNotFound(
                Value.self,
                .init(codingPath: codingPath + [key], debugDescription: "Expected a collection, found null.")
            )
        }
        throw DecodingError.keyNotFound(
            key,
            .init(codingPath: codingPath, debugDescription: "The object has no member \"\(key.stringValue)\".")
        )
    }
}

extension KeyedEncodingContainer {
    /// Writes an optional lossy collection, nothing for `nil`. The compiler's own `encode(to:)` calls this.
    public mutating func encode<Limit: LossLimit, Value: Encodable>(
        _ lossy: LossyUpTo<Limit, Value?>,
        forKey key: Key
    ) throws {
        try encodeIfPresent(lossy.wrappedValue, forKey: key)
    }
}
