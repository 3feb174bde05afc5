/// A collection of a `Codable` entry that loses its bad elements instead of failing with them, each with a report.
///
/// Choose it where some elements are better than none: a feed, a list of offers. Works for arrays, sets and dictionaries, and for
/// optionals of them, with every decoder.
///
/// ```swift
/// struct OrderEntry: Codable, RawMappable {
///     @Lossy var items: [ItemEntry]                // warning  $.items[3]  dropped: $.items[3].sku: missing …
///     @Lossy var prices: [String: Decimal]?        // may be missing or null
/// }
/// ```
/// A collection of which nothing is left is an error, and so is one that lost more than ``MappingPolicy/toleratedLoss``, that
/// is missing, or that is no collection at all. A policy that forgives nothing drops nothing. For models see
/// ``Swift/Array/lossy(from:at:tolerating:)``, for entries by hand `Json.decodeLossy(_:)`.
@propertyWrapper
public struct Lossy<Value> {
    /// The collection with what could be read.
    public var wrappedValue: Value

    /// Makes the field with a collection.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }
}

extension Lossy: Sendable where Value: Sendable {}
extension Lossy: Equatable where Value: Equatable {}
extension Lossy: Hashable where Value: Hashable {}

extension Lossy: Decodable where Value: LossyCollection {
    /// Reads what can be read.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try Value.lossy(from: decoder)
    }
}

extension Lossy: Encodable where Value: Encodable {
    /// Writes the collection.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension KeyedDecodingContainer {
    /// Reads a lossy collection. The compiler's own `init(from:)` calls this.
    public func decode<Value: LossyCollection>(_ type: Lossy<Value>.Type, forKey key: Key) throws -> Lossy<Value> {
        if let lossy = try decodeIfPresent(type, forKey: key) { return lossy }
        if let value = Value.valueIfMissing { return Lossy(wrappedValue: value) }
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
    public mutating func encode<Value: Encodable>(_ lossy: Lossy<Value?>, forKey key: Key) throws {
        try encodeIfPresent(lossy.wrappedValue, forKey: key)
    }
}
