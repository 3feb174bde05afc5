/// A format under a type's name, so that a property can name it: ``Formatted``.
///
/// The ready-made ones are ``RFC3339``, ``DateOnly``, ``UnixSeconds`` and their like; scalars name their own spelling.
/// They can be put together as types are: `RFC3339?`, `[DateOnly]`, `[String: UnixSeconds]`, ``Quoted``, ``Lenient``,
/// ``OneOrMany``, ``EmptyAsNil``. For everything else write one line:
///
/// ```swift
/// enum ShopDate: NamedFormat {
///     static let format = ValueFormat.firstOf(.rfc3339, .dateOnly)
/// }
/// ```
///
/// A ``RawMappable`` type names its own spelling by conforming, with nothing to write.
public protocol NamedFormat: SendableMetatype {
    /// The values in this format.
    associatedtype FormattedValue

    /// The format.
    static var format: ValueFormat<FormattedValue> { get }

    /// Reads a value; ``format`` does it unless said otherwise.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if there is something else.
    static func read(_ raw: Json) throws -> FormattedValue
}

extension NamedFormat {
    /// Reads a value with ``format``.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if there is something else.
    public static func read(_ raw: Json) throws -> FormattedValue { try format.read(raw) }
}

extension NamedFormat where Self: RawMappable & SendableMetatype, Raw == Json {
    /// The type's own spelling.
    public static var format: ValueFormat<Self> { .plain }

    /// Reads a value as the type itself does.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: What the type throws.
    public static func read(_ raw: Json) throws -> Self { try from(raw: raw) }
}

extension Optional: NamedFormat where Wrapped: NamedFormat {
    /// The wrapped format, or `null`.
    public static var format: ValueFormat<Wrapped.FormattedValue?> { .optional(Wrapped.format) }

    /// Reads `null` as nil, anything else with the wrapped format.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: What the wrapped format throws.
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

/// Scalars in quotes, read and written so: `@Formatted<Quoted<Int64>> var id: Int64`.
public enum Quoted<Base: NamedFormat>: NamedFormat {
    /// The base format in quotes.
    public static var format: ValueFormat<Base.FormattedValue> { .quoted(Base.format) }

    /// Reads a scalar in quotes. The format, which takes some making, is only asked for what to say of another value.
    /// - Parameter raw: The JSON of this value.
    /// - Returns: The value.
    /// - Throws: ``MappingError`` if there is something else.
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

/// Scalars that are sometimes in quotes, with a report each time: `@Formatted<Lenient<Int>> var count: Int`.
public enum Lenient<Base: NamedFormat>: NamedFormat {
    /// The base format, or it in quotes.
    public static var format: ValueFormat<Base.FormattedValue> { .lenient(Base.format) }
}

/// One value alone or an array of them: `@Formatted<OneOrMany<String>> var tags: [String]`.
public enum OneOrMany<Base: NamedFormat>: NamedFormat {
    /// The base format, or an array of it.
    public static var format: ValueFormat<[Base.FormattedValue]> { .oneOrMany(Base.format) }
}

/// Values in place of which `""`, `{}` or `[]` means nothing, with a report:
/// `@Formatted<EmptyAsNil<AbsoluteURL>> var site: URL?`.
public enum EmptyAsNil<Base: NamedFormat>: NamedFormat {
    /// The base format, or something empty.
    public static var format: ValueFormat<Base.FormattedValue?> { .emptyAsNil(Base.format) }
}
