import Foundation

/// Registered formats: each is the format of one type in all `Codable` entries of a client, a decoder or an encoder.
///
/// Register a format that one server uses everywhere. For the format of one field, use ``Formatted``:
///
/// ```swift
/// var client = Client(baseURL: URL(fileURLWithPath: "/"))
/// client.conventions.scalars.register(Date.self, as: .firstOf(.rfc3339, .unixSeconds))
/// client.conventions.scalars.register(Duration.self, as: .iso8601)
/// ```
///
/// A registered format takes precedence over the type's own `Codable` conformance and over ``JsonDecoder/dates``. It
/// applies to properties, elements and dictionary values of that type, optional or not. A `from(raw:)` by hand does not
/// use registered formats: it names the format where it reads the field. For a scalar that has the same format on every
/// server, declare a type that conforms to ``CustomScalar``.
public struct ScalarFormats: Sendable {
    private var formats: [ObjectIdentifier: AnyScalarFormat] = [:]
    /// An object that identifies the set of formats; `nil` before the first registration. Each registration makes a new
    /// object. Coders compare objects to validate their caches.
    private(set) var version: Version?

    final class Version: Sendable {}

    /// Makes an empty set of formats.
    public init() {}

    /// Whether no format is registered.
    var isEmpty: Bool { formats.isEmpty }

    /// Registers the format of a type's values. A later registration of a type replaces an earlier registration.
    /// - Parameters:
    ///   - type: The type.
    ///   - format: The format of its values.
    public mutating func register<Value: Codable>(_ type: Value.Type, as format: ValueFormat<Value>) {
        formats[ObjectIdentifier(type)] = ScalarFormat(format)
        version = Version()
    }

    /// Unavailable, because `Codable` types read numbers without consulting the registered formats.
    @available(*, unavailable, message: "Use @Formatted for the field, or a type that conforms to CustomScalar.")
    public mutating func register<Value: Codable & Numeric & LosslessStringConvertible>(
        _ type: Value.Type,
        as format: ValueFormat<Value>
    ) {}

    /// Unavailable, because `Codable` types read strings without consulting the registered formats.
    @available(*, unavailable, message: "Use @Formatted for the field, or a type that conforms to CustomScalar.")
    public mutating func register(_ type: String.Type, as format: ValueFormat<String>) {}

    /// Unavailable, because `Codable` types read Boolean values without consulting the registered formats.
    @available(*, unavailable, message: "Use @Formatted for the field, or a type that conforms to CustomScalar.")
    public mutating func register(_ type: Bool.Type, as format: ValueFormat<Bool>) {}

    /// Returns the registered format of a type.
    func format(for type: Any.Type) -> AnyScalarFormat? {
        formats.isEmpty ? nil : formats[ObjectIdentifier(type)]
    }
}

/// A format without its value type: the base class of ``ScalarFormat``.
// Sendable: the one subclass is final and holds one constant, which is Sendable.
class AnyScalarFormat: @unchecked Sendable {
    fileprivate init() {}
}

/// The format of one type's values. It is either registered, or declared by the type.
// Sendable: `format` is a constant, which is Sendable.
final class ScalarFormat<Value>: AnyScalarFormat, @unchecked Sendable {
    let format: ValueFormat<Value>

    fileprivate init(_ format: ValueFormat<Value>) { self.format = format }
}

/// A property type with a format of its own. This library's coders apply the format directly, without the type's
/// `Codable` conformance.
protocol FormattedProperty {
    /// The format. The format must come from ``KnownFormats``, which never frees it, because the coders store the
    /// format without a counted reference.
    static var scalarFormat: AnyScalarFormat { get }
}

/// The formats that types declare. Each is made when it is first needed, and never freed.
struct KnownFormats {
    static let shared = KnownFormats()

    private let formats = Locked<[ObjectIdentifier: AnyScalarFormat]>([:])

    /// Returns the format of a type. `make` runs without the lock, because `make` runs code of the app.
    func format<Value>(of type: Value.Type, _ make: () -> ValueFormat<Value>) -> ScalarFormat<Value> {
        let key = ObjectIdentifier(type)
        if let known = formats.withLock({ $0[key] }) as? ScalarFormat<Value> { return known }
        let made = ScalarFormat(make())
        return formats.withLock { formats in
            if let known = formats[key] as? ScalarFormat<Value> { return known }
            formats[key] = made
            return made
        }
    }
}

extension ScalarFormats: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
