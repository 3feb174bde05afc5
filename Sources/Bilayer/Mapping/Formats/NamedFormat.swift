/// A format that a type names, for use in ``Formatted``.
///
/// Built-in formats are ``RFC3339``, ``DateOnly``, ``UnixSeconds`` and similar ones; scalars name their own format.
/// Formats are composed as types: `RFC3339?`, `[DateOnly]`, `[String: UnixSeconds]`, ``Quoted``, ``Lenient``,
/// ``OneOrMany``, ``EmptyAsNil``. Other formats take one line:
///
/// ```swift
/// enum ShopDate: NamedFormat {
///     static let format = ValueFormat.firstOf(.rfc3339, .dateOnly)
/// }
/// ```
///
/// A ``RawMappable`` type names its own format by conforming; the conformance needs no code.
public protocol NamedFormat: SendableMetatype {
    /// The values in this format.
    associatedtype FormattedValue

    /// The format.
    static var format: ValueFormat<FormattedValue> { get }

    /// Reads a value, by default with ``format``.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the JSON is not of this format.
    static func read(_ raw: Json) throws -> FormattedValue
}

extension NamedFormat {
    /// Reads a value with ``format``.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the JSON is not of this format.
    public static func read(_ raw: Json) throws -> FormattedValue { try format.read(raw) }
}

extension NamedFormat where Self: RawMappable & SendableMetatype, Raw == Json {
    /// The format of `from(raw:)` and `toRaw()`.
    public static var format: ValueFormat<Self> { .plain }

    /// Reads a value with `from(raw:)`.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: The error of the type.
    public static func read(_ raw: Json) throws -> Self { try from(raw: raw) }
}

extension Optional: NamedFormat where Wrapped: NamedFormat {
    /// The wrapped format, or `null`.
    public static var format: ValueFormat<Wrapped.FormattedValue?> { .optional(Wrapped.format) }

    /// Reads `null` as nil, other values with the wrapped format.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: The error of the wrapped format.
    public static func read(_ raw: Json) throws -> Wrapped.FormattedValue? { raw.isNull ? nil : try Wrapped.read(raw) }
}

extension Array: NamedFormat where Element: NamedFormat {
    /// An array of values in the element's format.
    public static var format: ValueFormat<[Element.FormattedValue]> { .array(of: Element.format) }
}

extension Dictionary: NamedFormat where Key == String, Value: NamedFormat {
    /// An object whose members' values are in the value's format.
    public static var format: ValueFormat<[String: Value.FormattedValue]> { .members(of: Value.format) }
}

/// Scalars in quotes, for reading and writing: `@Formatted<Quoted<Int64>> var id: Int64`.
public enum Quoted<Base: NamedFormat>: NamedFormat {
    /// The base format in quotes.
    public static var format: ValueFormat<Base.FormattedValue> { .quoted(Base.format) }

    /// Reads a scalar in quotes. The format is expensive to make, so it is used only for the error of an invalid value.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if the JSON is not of this format.
    public static func read(_ raw: Json) throws -> Base.FormattedValue {
        guard let scalar = raw.string.flatMap(Json.init(scalar:)) else { return try format.read(raw) }
        let session = IssueLog.current
        let mark = session?.mark ?? 0
        do {
            return try Base.read(scalar)
        } catch is MappingError {
            session?.forget(since: mark)
            return try format.read(raw)
        }
    }
}

/// Scalars that are sometimes in quotes, which is reported each time: `@Formatted<Lenient<Int>> var count: Int`.
public enum Lenient<Base: NamedFormat>: NamedFormat {
    /// The base format, with or without quotes.
    public static var format: ValueFormat<Base.FormattedValue> { .lenient(Base.format) }
}

/// One value or an array of values: `@Formatted<OneOrMany<String>> var tags: [String]`.
public enum OneOrMany<Base: NamedFormat>: NamedFormat {
    /// The base format, or an array of it.
    public static var format: ValueFormat<[Base.FormattedValue]> { .oneOrMany(Base.format) }
}

/// Values for which a server sends `""`, `{}` or `[]` when it means `null`, which is reported:
/// `@Formatted<EmptyAsNil<AbsoluteURL>> var site: URL?`.
public enum EmptyAsNil<Base: NamedFormat>: NamedFormat {
    /// The base format, or an empty string, object or array.
    public static var format: ValueFormat<Base.FormattedValue?> { .emptyAsNil(Base.format) }
}
