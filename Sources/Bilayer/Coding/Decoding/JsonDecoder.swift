public import Foundation

/// Decodes values of `Decodable` types from JSON: compatible with Foundation's `JSONDecoder`, and on Linux several
/// times as fast.
///
/// Choose it for a plain `Codable` type whose format differs from the default: dates, keys, data. For the default
/// formats, ``Json/decode(_:using:)`` needs no decoder, and the mapping layer decodes entries by itself.
///
/// ```swift
/// struct Event: Decodable {
///     let title: String
///     let startsAt: Date
/// }
///
/// var decoder = JsonDecoder()
/// decoder.dates = .rfc3339
/// decoder.keys = .convertFromSnakeCase
/// let body = Data(#"{"title": "Tea", "starts_at": "2026-11-21T16:00:00Z"}"#.utf8)
/// let event = try decoder.decode(Event.self, from: body)
/// ```
///
/// A decoder is a value, and any number of tasks may use the same decoder concurrently. <doc:DifferencesFromFoundation>
/// lists the intended differences from Foundation's decoder.
public struct JsonDecoder: Sendable {
    /// The format of dates; by default numbers of seconds since 2001.
    public var dates: DateStrategy = .deferredToDate
    /// The format of binary data; by default Base64.
    public var data: DataStrategy = .base64
    /// The conversion of JSON keys to the keys of types; by default none.
    public var keys: KeyStrategy = .useDefaultKeys
    /// The representation of infinities and NaN; by default none, so they are errors.
    public var nonConformingFloats: NonConformingFloatStrategy = .throw
    /// The registered formats of types. A registered format takes precedence over the type's own conformance; see
    /// ``ScalarFormats``.
    public var scalars = ScalarFormats()
    /// The `userInfo` of the decoder that types receive.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// The parsing options where RFC 8259 leaves a choice. By default nesting is limited to 512.
    public var parsing = Json.ParsingOptions()

    /// The enabled optimizations. Only measurements and tests disable some.
    package var optimizations = CoderOptimizations.all
    /// Decides which unreadable values are left out; `nil` if the decoder leaves none out.
    var tolerance: (any DecodingTolerance)?

    /// Whether the mapping layer made these settings. They then stay the same throughout a mapping.
    var isOfMapping = false

    /// A decoder with the default settings, made once for the mapping layer.
    static let plain: JsonDecoder = {
        var decoder = JsonDecoder()
        decoder.isOfMapping = true
        return decoder
    }()

    /// Makes a decoder with the default settings. The default strategies are those of Foundation's decoder.
    public init() {}
}

extension JsonDecoder {
    /// Whether values are read as with the default settings.
    var isPlain: Bool {
        guard case .deferredToDate = dates, case .base64 = data, case .useDefaultKeys = keys,
            case .throw = nonConformingFloats
        else { return false }
        return scalars.isEmpty && userInfo.isEmpty
    }
}

extension JsonDecoder: Redacted {
    /// The name of the type. The user info may hold sensitive values.
    public var description: String { typeName(Self.self) }
}

extension JsonDecoder {
    /// The format of dates in the JSON.
    ///
    /// ```swift
    /// var decoder = JsonDecoder()
    /// decoder.dates = .rfc3339
    /// ```
    public enum DateStrategy: Sendable {
        /// The format in which `Date` decodes itself: a number of seconds since 2001-01-01T00:00:00Z. The default, as
        /// in Foundation.
        case deferredToDate
        /// An RFC 3339 §5.6 string with any fraction and any offset, as most servers send it. The fastest of the
        /// formats that are strings.
        case rfc3339
        /// Foundation's name for ``rfc3339``. Both read the same texts.
        case iso8601
        /// A number of seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// A number of milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// A string that the formatter can read.
        case formatted(DateFormatter)
        /// A custom format: the closure reads the date from the decoder.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// The format of binary data in the JSON.
    public enum DataStrategy: Sendable {
        /// The format in which `Data` decodes itself: an array of numbers from 0 to 255.
        case deferredToData
        /// A Base64 string (RFC 4648 §4). The default, as in Foundation.
        case base64
        /// A custom format: the closure reads the data from the decoder.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// The conversion of JSON keys to the keys of types. Keys of dictionaries are values and are not converted.
    public enum KeyStrategy: Sendable {
        /// Keys are the same on both sides. The default, and the fastest.
        case useDefaultKeys
        /// Converts `first_name` in the JSON to `firstName` in the type. Leading and trailing underscores are not
        /// changed.
        case convertFromSnakeCase
        /// Makes each key from the property's name, so that `userURL` finds `user_url`. The encoder has a matching
        /// case.
        case naming(KeyNaming)
        /// A custom conversion. The closure receives the whole coding path, with the JSON key last, and returns the
        /// type's key.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// The representation of floating-point values that JSON numbers cannot represent.
    public enum NonConformingFloatStrategy: Sendable, Hashable {
        /// Infinities and NaN have no representation, so a string in place of a number is an error. The default.
        case `throw`
        /// These three strings represent infinity, negative infinity and NaN.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

extension JsonDecoder.DateStrategy {
    /// Whether dates are RFC 3339 strings.
    var isRFC3339: Bool {
        switch self {
        case .rfc3339, .iso8601: true
        default: false
        }
    }
}
