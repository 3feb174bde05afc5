/// A type that names the defaults of a field of a `Codable` entry, for ``Default``.
public protocol DefaultProvider: SendableMetatype {
    /// The field's type.
    associatedtype Value: Sendable

    /// The defaults for a missing, a `null` and an invalid value.
    static var defaults: Defaults<Value> { get }
}

/// A field of a `Codable` entry with separate defaults for a missing, a `null` and an invalid value (``Defaults``).
///
/// Choose it for entries with a synthesized `init(from:)`. In a `from(raw:)` written by hand use
/// ``Json/decode(_:ifMissing:ifNull:ifInvalid:)``. A synthesized `init(from:)` knows only the type of a field, so a
/// type names the defaults:
///
/// ```swift
/// struct ProductEntry: Codable, RawMappable {
///     enum Reviews: DefaultProvider { static let defaults = Defaults(ifMissing: 0, ifNull: 0) }
///     enum Tags: DefaultProvider { static let defaults = Defaults(ifMissing: [String](), ifInvalid: []) }
///
///     let name: String
///     @Default<Reviews> var reviews: Int           // {"reviews": "many"} is still an error
///     @Default<Tags> var tags: [String]            // {"tags": "new"} becomes [], with a warning
/// }
/// ```
/// It works with every decoder. Encoding writes the value unchanged, even if it is a default.
@propertyWrapper
public struct Default<Provider: DefaultProvider> {
    /// The value.
    public var wrappedValue: Provider.Value

    /// Makes the field with a value.
    public init(wrappedValue: Provider.Value) {
        self.wrappedValue = wrappedValue
    }
}

extension Default: Sendable {}
extension Default: Equatable where Provider.Value: Equatable {}
extension Default: Hashable where Provider.Value: Hashable {}

extension Default: Decodable where Provider.Value: Decodable {
    /// Reads a value that is the root or an element. It can be `null` or invalid there, but not missing.
    /// - Throws: The error of the value, if its case has no default, unless the policy salvages an invalid value (see
    ///   ``Defaults``); ``MappingError`` for an invalid value under a policy that treats warnings as errors. Also
    ///   throws a `CancellationError` and what the decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        func describe(_ error: any Error) -> MappingError {
            let json = (try? container.decode(Json.self)) ?? .null
            return DecodingAttempt<Provider.Value>.described(error, of: json, at: JsonPath(decoder.codingPath))
        }
        wrappedValue = try Provider.defaults.value(
            container.decodeNil() ? .null : .value,
            at: JsonPath(decoder.codingPath),
            found: (try? container.decode(Json.self))?.found,
            describing: describe
        ) {
            try container.decode(Provider.Value.self)
        } leftOut: {
            decoder.leaveOutKeys()
        }
    }
}

extension Default: Encodable where Provider.Value: Encodable {
    /// Writes the value.
    /// - Throws: The error of the value or of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Decoder {
    /// Treats all keys of the decoder's value as requested, because a default has replaced the value.
    fileprivate func leaveOutKeys() {
        guard let record = KeyRecord.inProgress(in: self) else { return }
        let path = JsonPath(codingPath)
        record.leaveOut([path], of: path)
    }
}

extension KeyedDecodingContainer {
    /// Reads a field that has defaults. The synthesized `init(from:)` calls this.
    /// - Throws: The error of the value, if its case has no default, unless the policy salvages an invalid value (see
    ///   ``Defaults``); ``MappingError`` for an invalid value under a policy that treats warnings as errors. Also
    ///   throws a `CancellationError` and what the decoder throws.
    public func decode<Provider: DefaultProvider>(
        _ type: Default<Provider>.Type,
        forKey key: Key
    ) throws -> Default<Provider> where Provider.Value: Decodable {
        let presence = try presence(of: key)
        if presence == .value, let ifLeftOut = Provider.defaults.ifLeftOut, let member = tolerantDecoder(of: key) {
            let read = {
                try member.tolerance?
                    .optional(Provider.Value.self, at: member.codingPath) {
                        try decode(Provider.Value.self, forKey: key)
                    }
            }
            let value =
                try hasPaths
                ? namingProperty(key.stringValue, at: JsonPath(member.codingPath), read) : read()
            return Default(wrappedValue: Defaults<Provider.Value>.value(value, orIfLeftOut: ifLeftOut))
        }
        // The member is read only once for its path and its type, because each such reading reports a clash of the
        // key's paths.
        var glanced: MemberGlance?
        func glance() -> MemberGlance? {
            glanced = glanced ?? (try? decode(MemberGlance.self, forKey: key))
            return glanced
        }
        func place(_ glance: MemberGlance?) -> JsonPath {
            (hasPaths ? glance?.path : nil) ?? JsonPath(codingPath + [key])
        }
        func describe(_ error: any Error) -> MappingError {
            // The reading that failed has reported a clash already.
            let mark = IssueLog.current?.mark ?? .start
            let glance = try? decode(MemberGlance.self, forKey: key)
            IssueLog.current?.remove(since: mark)
            return DecodingAttempt<Provider.Value>.described(error, of: glance?.json ?? .null, at: place(glance))
        }
        let value = try Provider.defaults.value(
            presence,
            at: place(hasPaths ? glance() : nil),
            of: hasPaths ? key.stringValue : nil,
            found: glance()?.found,
            describing: describe
        ) {
            try decode(Provider.Value.self, forKey: key)
        } leftOut: {
            try? superDecoder(forKey: key).leaveOutKeys()
        }
        return Default(wrappedValue: value)
    }

    func presence(of key: Key) throws -> Presence {
        guard contains(key) else { return .missing }
        return try decodeNil(forKey: key) ? .null : .value
    }

    /// Whether the keys have paths, so that a value's path and its property's name can differ.
    private var hasPaths: Bool { Key.self is any PathCodingKey.Type }

    func path(to key: Key) -> JsonPath {
        // A key can have several paths. The value that is found shows which of them counts.
        let glance = hasPaths ? try? decode(MemberGlance.self, forKey: key) : nil
        return glance?.path ?? JsonPath(codingPath + [key])
    }

    /// Returns the member's decoder if the policy leaves values out and the decoder supports that; otherwise `nil`.
    private func tolerantDecoder(of key: Key) -> (any TolerantDecoder)? {
        guard IssueLog.current?.policy.leavesOut == true else { return nil }
        guard let decoder = try? superDecoder(forKey: key) as? any TolerantDecoder else { return nil }
        return decoder.tolerance == nil ? nil : decoder
    }
}
