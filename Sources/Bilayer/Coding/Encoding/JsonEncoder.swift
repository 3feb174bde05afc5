public import Foundation

/// Encodes values of `Encodable` types as JSON: compatible with Foundation's `JSONEncoder`, and on Linux several times
/// as fast.
///
/// Choose it for a plain `Codable` type whose format differs from the default: dates, keys, data, layout. For the
/// default formats, ``Json/init(encoding:using:)`` needs no encoder, and the mapping layer encodes entries by itself.
///
/// ```swift
/// struct Event: Encodable {
///     let title: String
///     let startsAt: Date
/// }
///
/// var encoder = JsonEncoder()
/// encoder.dates = .rfc3339
/// encoder.keys = .convertToSnakeCase
/// let body = try encoder.encode(Event(title: "Tea", startsAt: Date()))
/// ```
///
/// An encoder is a value, and any number of tasks may use the same encoder concurrently. Unless ``format`` sorts the
/// keys, members are written in the order in which a type encodes them. <doc:DifferencesFromFoundation> lists the
/// intended differences from Foundation's encoder.
public struct JsonEncoder: Sendable {
    /// The format of dates; by default numbers of seconds since 2001.
    public var dates: DateStrategy = .deferredToDate
    /// The format of binary data; by default Base64.
    public var data: DataStrategy = .base64
    /// The conversion of the keys of types to JSON keys; by default none.
    public var keys: KeyStrategy = .useDefaultKeys
    /// The representation of infinities and NaN; by default none, so they are errors.
    public var nonConformingFloats: NonConformingFloatStrategy = .throw
    /// The layout of the text; by default without blanks.
    public var format: Json.Format = .compact
    /// The registered formats of types. A registered format takes precedence over the type's own conformance; see
    /// ``ScalarFormats``.
    public var scalars = ScalarFormats()
    /// The `userInfo` of the encoder that types receive.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The maximum nesting of arrays and objects, including those inside a ``Json``. Deeper nesting is an error. The
    /// default is the parser's default limit, so by default the parser accepts every written text.
    public var maximumDepth = 512

    /// The enabled optimizations. Only measurements and tests disable some.
    package var optimizations = CoderOptimizations.all
    /// Whether the mapping layer made these settings. They then stay the same throughout a mapping.
    var isOfMapping = false

    /// An encoder with the default settings, made once for the mapping layer.
    static let plain: JsonEncoder = {
        var encoder = JsonEncoder()
        encoder.isOfMapping = true
        return encoder
    }()

    /// Makes an encoder with the default settings. The default strategies are those of Foundation's encoder.
    public init() {}
}

extension JsonEncoder {
    /// Whether values are written as with the default settings.
    var isPlain: Bool {
        guard case .deferredToDate = dates, case .base64 = data, case .useDefaultKeys = keys,
            case .throw = nonConformingFloats
        else { return false }
        return scalars.isEmpty && userInfo.isEmpty
    }
}

extension JsonEncoder: Redacted {
    /// The name of the type. The user info may hold sensitive values.
    public var description: String { typeName(Self.self) }
}

extension JsonEncoder {
    /// The format of dates in the JSON.
    ///
    /// ```swift
    /// var encoder = JsonEncoder()
    /// encoder.dates = .rfc3339
    /// ```
    public enum DateStrategy: Sendable {
        /// The format in which `Date` encodes itself: a number of seconds since 2001-01-01T00:00:00Z. The default, as
        /// in Foundation.
        case deferredToDate
        /// An RFC 3339 §5.6 string in UTC. It has 0, 3, 6 or 9 fraction digits: the smallest of these numbers that
        /// preserves the date, otherwise 9.
        case rfc3339
        /// RFC 3339 without a fraction, as Foundation writes it: `2026-11-21T09:41:00Z`.
        case iso8601
        /// A number of seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// A number of milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// A string that the formatter writes.
        case formatted(DateFormatter)
        /// A custom format: the closure writes the date into the encoder. If it writes nothing, the value is `{}`.
        case custom(@Sendable (_ date: Date, _ encoder: any Encoder) throws -> Void)
    }

    /// The format of binary data in the JSON.
    public enum DataStrategy: Sendable {
        /// The format in which `Data` encodes itself: an array of numbers from 0 to 255.
        case deferredToData
        /// A Base64 string (RFC 4648 §4). The default, as in Foundation.
        case base64
        /// A custom format: the closure writes the data into the encoder. If it writes nothing, the value is `{}`.
        case custom(@Sendable (_ data: Data, _ encoder: any Encoder) throws -> Void)
    }

    /// The conversion of the keys of types to JSON keys. Keys of dictionaries are values and are not converted.
    public enum KeyStrategy: Sendable {
        /// The keys in the JSON are those of the type. The default, and the fastest.
        case useDefaultKeys
        /// Converts `firstName` in the type to `first_name` in the JSON. Leading and trailing underscores stay.
        case convertToSnakeCase
        /// Makes each key from the property's name: ``KeyNaming/snakeCase`` makes `user_url` from `userURL`. The
        /// decoder has a matching case.
        case naming(KeyNaming)
        /// A custom conversion. The closure receives the whole coding path, which ends with the coding key of the
        /// property, and returns the key to write.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The representation of floating-point values that JSON numbers cannot represent.
    public enum NonConformingFloatStrategy: Sendable, Hashable {
        /// Infinities and NaN have no representation, so encoding them is an error. The default.
        case `throw`
        /// These three strings represent infinity, negative infinity and NaN.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}
