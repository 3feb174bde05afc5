/// A value of an enum that the server may extend: a known case, or the raw value of one that is not known.
///
/// Works wherever a value does: alone, in arrays, optionals and dictionaries, as a key, in both layers. An unknown
/// value is kept, reported (``MappingIssue/Kind/unknownCase``), and written back as it was. A policy that treats
/// warnings as errors, and an enum that is ``OpenEnum/isFrozen``, refuse it.
///
/// ```swift
/// enum Status: String, OpenEnum { case paid, sent }
///
/// let status: Open<Status> = try json.decode("status")
/// switch status {
/// case .known(.paid): print("paid")
/// case .known(.sent): print("on its way")
/// case .unknown(let text): print("something new: \(text)")
/// }
/// ```
/// The switch stays complete for the cases the app knows; the compiler asks about a new one once it is added.
///
/// Keys of dictionaries inside `Codable` types are kept, too. They are reported where such a dictionary is a field
/// (`[Open<Status>: Int]`), but not where it is nested deeper (`[[Open<Status>: Int]]`): a key has no place of its own
/// there.
public enum Open<Known: OpenEnum>: Hashable, Sendable {
    /// A case that the app knows.
    case known(Known)
    /// The raw value of one it does not.
    case unknown(Known.RawValue)
}

extension Open: RawRepresentable {
    /// The known case for a raw value, else the raw value itself.
    public init(rawValue: Known.RawValue) {
        self = Known(rawValue: rawValue).map(Open.known) ?? .unknown(rawValue)
    }

    /// What the server calls the value.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let known): known.rawValue
        case .unknown(let rawValue): rawValue
        }
    }

    /// The known case, if it is one.
    public var known: Known? {
        if case .known(let known) = self { return known }
        return nil
    }
}

extension Open {
    /// Makes the value, and reports it if it is not known.
    init(reading rawValue: Known.RawValue, at path: @autoclosure () -> JsonPath) throws {
        self.init(rawValue: rawValue)
        try check(at: path())
    }

    /// - Throws: ``MappingError`` if the value is not known and must be.
    func check(at path: @autoclosure () -> JsonPath) throws {
        guard case .unknown(let rawValue) = self else { return }
        if Known.isFrozen {
            var issue = MappingIssue.unknownCase(rawValue, of: Known.self, at: path(), outcome: "the enum is frozen")
            issue.severity = .error
            throw MappingError(issue)
        }
        try MappingIssue.forgiveUnknownCase(rawValue, of: Known.self, at: path(), outcome: "kept")
    }
}

extension Open: Codable {
    /// Reads the raw value.
    public init(from decoder: any Decoder) throws {
        let rawValue = try decoder.singleValueContainer().decode(Known.RawValue.self)
        try self.init(reading: rawValue, at: JsonPath(decoder.codingPath))
    }

    /// Writes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Open: RawDecodable, RawEncodable {
    /// What the value is read from.
    public typealias Raw = Json

    /// Reads the raw value.
    /// - Parameter raw: The JSON of the raw value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if there is another type, or an unknown value that must be known.
    public static func from(raw: Json) throws -> Open {
        try Open(reading: Known.RawValue.from(raw: raw), at: .root)
    }

    /// Writes the raw value.
    public func toRaw() throws -> Json { try rawValue.toRaw() }
}

extension Open: DTOConvertible {
    /// Makes the value from what a generated type has: the raw value.
    /// - Parameter dto: The raw value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` for an unknown value that must be known.
    public static func from(dto: Known.RawValue) throws -> Open {
        try Open(reading: dto, at: .root)
    }

    /// The raw value.
    public func toDTO() -> Known.RawValue { rawValue }
}
