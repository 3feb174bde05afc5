public import Foundation

/// Makes values of `Decodable` types from JSON: Foundation's `JSONDecoder` in behaviour, several times as fast.
///
/// Choose it where a type is plain `Codable` and something differs from the default: dates, keys, data. Without that,
/// ``Json/decode(_:using:)`` needs no decoder, and the mapping layer calls it by itself.
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
/// A decoder is a value: any number of tasks may use one at once. Where it differs from Foundation's on purpose is told
/// in <doc:DifferencesFromFoundation>.
public struct JsonDecoder: Sendable {
    /// How dates are spelled; as numbers since 2001 unless said otherwise.
    public var dates: DateStrategy = .deferredToDate
    /// How binary data is spelled; as Base64 unless said otherwise.
    public var data: DataStrategy = .base64
    /// How the JSON's keys become the keys that types ask for; not at all unless said otherwise.
    public var keys: KeyStrategy = .useDefaultKeys
    /// What stands for infinities and NaN; nothing unless said otherwise.
    public var nonConformingFloats: NonConformingFloatStrategy = .throw
    /// How values of certain types are spelled, whatever their own conformance says; see ``ScalarFormats``.
    public var scalars = ScalarFormats()
    /// What types find in their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// How bytes are read where RFC 8259 leaves a choice; nesting is limited to 512 unless said otherwise.
    public var parsing = Json.ParsingOptions()

    /// Which optimizations are on; all of them outside measurements and tests.
    package var optimizations = CoderOptimizations.all

    /// One in its default settings, made once.
    static let plain = JsonDecoder()

    /// Makes a decoder that behaves like Foundation's in its default settings.
    public init() {}
}

extension JsonDecoder: Redacted {
    /// The name of the type: user info can hold anything.
    public var description: String { typeName(Self.self) }
}

extension JsonDecoder {
    /// How dates are spelled in the JSON.
    ///
    /// ```swift
    /// var decoder = JsonDecoder()
    /// decoder.dates = .rfc3339
    /// ```
    public enum DateStrategy: Sendable {
        /// As `Date` decodes itself: a number of seconds since 2001-01-01T00:00:00Z. The default, as in Foundation.
        case deferredToDate
        /// A string as RFC 3339 §5.6 has it, with any fraction and any offset: what most servers send. The fast choice.
        case rfc3339
        /// The same as ``rfc3339``, under the name Foundation uses.
        case iso8601
        /// A number of seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// A number of milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// A string in the form that a formatter reads.
        case formatted(DateFormatter)
        /// Whatever the closure reads from the decoder at the date's place.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How binary data is spelled in the JSON.
    public enum DataStrategy: Sendable {
        /// As `Data` decodes itself: an array of numbers from 0 to 255.
        case deferredToData
        /// A Base64 string (RFC 4648 §4). The default, as in Foundation.
        case base64
        /// Whatever the closure reads from the decoder at the data's place.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// How the JSON's keys become the keys that types ask for. Keys of dictionaries are values and stay as they are.
    public enum KeyStrategy: Sendable {
        /// Keys are the same on both sides. The default, and the fastest.
        case useDefaultKeys
        /// `first_name` in the JSON is `firstName` in the type; underscores at either end stay.
        case convertFromSnakeCase
        /// Each property's key is made from its name, so that `userURL` finds `user_url`; the encoder has the same.
        case naming(KeyNaming)
        /// The closure gets the whole path, the JSON's key last, and answers the key to look for.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// What stands for the floating-point values that JSON has no number for.
    public enum NonConformingFloatStrategy: Sendable, Hashable {
        /// Nothing does: a string where a number is expected is an error. The default.
        case `throw`
        /// These strings do.
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
