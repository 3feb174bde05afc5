/// How values of certain types are spelled everywhere in `Codable` entries: once per client, or per decoder and
/// encoder.
///
/// Choose it for what one server does everywhere, and ``Formatted`` for what one field does:
///
/// ```swift
/// var client = Client(baseURL: URL(fileURLWithPath: "/"))
/// client.conventions.scalars.register(Date.self, as: .firstOf(.rfc3339, .unixSeconds))
/// client.conventions.scalars.register(Duration.self, as: .iso8601)
/// ```
///
/// A registered format goes before the type's own `Codable` conformance and before ``JsonDecoder/dates``. It holds for
/// properties, elements and dictionary values of that type, optional or not. In `from(raw:)` by hand the format is
/// named where the field is read. For a scalar that is spelled the same by every server, make a type: ``CustomScalar``.
public struct ScalarFormats: Sendable {
    private var formats: [ObjectIdentifier: AnyScalarFormat] = [:]
    /// Changes with every registration, nil before the first: what coders go by when they remember types.
    private(set) var version: Version?

    final class Version: Sendable {}

    /// Nothing registered.
    public init() {}

    /// Whether nothing is registered.
    var isEmpty: Bool { formats.isEmpty }

    /// Says how values of a type are spelled; the last registration counts.
    /// - Parameters:
    ///   - type: The type.
    ///   - format: How its values are spelled.
    public mutating func register<Value: Codable>(_ type: Value.Type, as format: ValueFormat<Value>) {
        formats[ObjectIdentifier(type)] = ScalarFormat(format)
        version = Version()
    }

    /// Not to be used: `Codable` types read numbers without asking anybody.
    @available(*, unavailable, message: "Use @Formatted for the field, or a type that conforms to CustomScalar.")
    public mutating func register<Value: Codable & Numeric & LosslessStringConvertible>(
        _ type: Value.Type,
        as format: ValueFormat<Value>
    ) {}

    /// Not to be used: `Codable` types read texts without asking anybody.
    @available(*, unavailable, message: "Use @Formatted for the field, or a type that conforms to CustomScalar.")
    public mutating func register(_ type: String.Type, as format: ValueFormat<String>) {}

    /// Not to be used: `Codable` types read truth values without asking anybody.
    @available(*, unavailable, message: "Use @Formatted for the field, or a type that conforms to CustomScalar.")
    public mutating func register(_ type: Bool.Type, as format: ValueFormat<Bool>) {}

    /// What is registered for a type.
    func format(for type: Any.Type) -> AnyScalarFormat? {
        formats.isEmpty ? nil : formats[ObjectIdentifier(type)]
    }
}

/// A registered format without its type.
// Sendable: the one subclass is final and holds one constant, which is Sendable.
class AnyScalarFormat: @unchecked Sendable {
    fileprivate init() {}
}

/// A registered format.
// Sendable: `format` is a constant, which is Sendable.
final class ScalarFormat<Value>: AnyScalarFormat, @unchecked Sendable {
    let format: ValueFormat<Value>

    fileprivate init(_ format: ValueFormat<Value>) { self.format = format }
}
