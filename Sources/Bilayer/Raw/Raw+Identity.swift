public import Foundation

extension Json: RawDecodable, RawEncodable {
    /// JSON is read from itself: no layer at all.
    public typealias Raw = Json

    /// The value as it is.
    public static func from(raw: Json) -> Json { raw }

    /// The value as it is.
    public func toRaw() -> Json { self }
}

extension Data: RawDecodable, RawEncodable {
    /// Bytes are read from bytes: the body as it came.
    public typealias Raw = Data

    /// The bytes as they are.
    public static func from(raw: Data) -> Data { raw }

    /// The bytes as they are.
    public func toRaw() -> Data { self }
}

/// The response of a route whose answer has nothing to tell: 204, an empty body, or a body that is ignored.
///
/// ```swift
/// extension Route where Response == NoContent {
///     static func remove(_ id: Int) -> Route { .delete("users/{id}", ["id": id]) }
/// }
/// ```
/// `Route<Void>` works as well; `NoContent` is for places that need a nominal type.
public struct NoContent: Sendable, Hashable, RawDecodable {
    /// Read from any body.
    public typealias Raw = Data

    /// Makes the one value.
    public init() {}

    /// Ignores the body.
    public static func from(raw: Data) -> NoContent { NoContent() }
}
