/// A value of an enum that the server may extend: a known case, or the raw value of an unknown case.
///
/// It can be used alone, in arrays, optionals and dictionaries, and as a key, in both layers. An unknown value is kept,
/// reported (``MappingIssue/Kind/unknownCase``), and written back unchanged. It is refused under a policy that treats
/// warnings as errors, and for an enum that is ``OpenEnum/isFrozen``.
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
/// The switch is exhaustive: the compiler reports a missing case once a case is added to the enum.
///
/// Unknown keys of dictionaries inside `Codable` types are kept, too. ``JsonDecoder`` reports or refuses them at any
/// depth. With another decoder, this applies only to a dictionary that is a field (`[Open<Status>: Int]`). In a deeper
/// dictionary (`[[Open<Status>: Int]]`), unknown keys are then kept without a report.
public enum Open<Known: OpenEnum>: Hashable, Sendable {
    /// A known case.
    case known(Known)
    /// The raw value of an unknown case.
    case unknown(Known.RawValue)
}

extension Open: RawRepresentable {
    /// Makes the known case of a raw value, or else ``unknown(_:)``.
    public init(rawValue: Known.RawValue) {
        self = Known(rawValue: rawValue).map(Open.known) ?? .unknown(rawValue)
    }

    /// The server's raw value.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let known): known.rawValue
        case .unknown(let rawValue): rawValue
        }
    }

    /// The known case; `nil` for an unknown value.
    public var known: Known? {
        if case .known(let known) = self { return known }
        return nil
    }
}

extension Open {
    /// Makes the value, and reports it if it is unknown.
    init(reading rawValue: Known.RawValue, at path: @autoclosure () -> JsonPath) throws {
        self.init(rawValue: rawValue)
        try check(at: path())
    }

    /// Reports an unknown value.
    /// - Throws: ``MappingError`` if an unknown value is refused.
    func check(at path: @autoclosure () -> JsonPath) throws {
        guard case .unknown(let rawValue) = self else { return }
        if Known.isFrozen {
            var issue = MappingIssue.unknownCase(rawValue, of: Known.self, at: path(), outcome: "the enum is frozen")
            issue.severity = .error
            throw MappingError(issue)
        }
        try MappingIssue.reportUnknownCase(rawValue, of: Known.self, at: path(), outcome: "kept")
    }
}

extension Open: Codable {
    /// Reads the raw value.
    /// - Throws: The error of the raw value, and ``MappingError`` for an unknown value that is refused.
    public init(from decoder: any Decoder) throws {
        let rawValue = try decoder.singleValueContainer().decode(Known.RawValue.self)
        try self.init(reading: rawValue, at: JsonPath(decoder.codingPath))
    }

    /// Writes the raw value.
    /// - Throws: The error of the raw value or of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension Open: PlaceholderMaking {
    static func placeholder(_ choice: PlaceholderValue.Choice) -> Open? {
        (PlaceholderValue.value(of: Known.RawValue.self, choice) as? Known.RawValue).map(Open.init(rawValue:))
    }
}

extension Open: RawDecodable, RawEncodable {
    /// The raw type of an open enum.
    public typealias Raw = Json

    /// Reads the raw value.
    /// - Parameter raw: The JSON of the raw value.
    /// - Returns: The value.
    /// - Throws: The error of the raw value, and ``MappingError`` for an unknown value that is refused.
    public static func from(raw: Json) throws -> Open {
        try Open(reading: Known.RawValue.from(raw: raw), at: .root)
    }

    /// Writes the raw value.
    /// - Throws: The error of the raw value.
    public func toRaw() throws -> Json { try rawValue.toRaw() }
}

extension Open: DTOConvertible {
    /// Makes the value from the raw value of a generated type.
    /// - Parameter dto: The raw value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` for an unknown value that is refused.
    public static func from(dto: Known.RawValue) throws -> Open {
        try Open(reading: dto, at: .root)
    }

    /// The raw value.
    public func toDTO() -> Known.RawValue { rawValue }
}
