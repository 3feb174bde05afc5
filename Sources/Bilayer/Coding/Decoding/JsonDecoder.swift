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
