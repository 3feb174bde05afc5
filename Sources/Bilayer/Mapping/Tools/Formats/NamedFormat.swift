/// A type that names a format, for use in ``Formatted``.
///
/// Built-in formats are ``RFC3339``, ``DateOnly``, ``UnixSeconds`` and similar formats. Scalars name their own format.
/// Formats are composed as types: `RFC3339?`, `[DateOnly]`, `[String: UnixSeconds]`, ``Quoted``, ``Lenient``,
/// ``OneOrMany``, ``EmptyAsNil``. Other formats take one line:
///
/// ```swift
/// enum ShopDate: NamedFormat {
///     static let format = ValueFormat.firstOf(.rfc3339, .dateOnly)
/// }
/// ```
///
/// A ``RawMappable`` type with the raw type ``Json`` can conform without code, and then names its own format.
public protocol NamedFormat: SendableMetatype {
    /// The values in this format.
    associatedtype FormattedValue

    /// The format. ``Formatted`` reads it once.
    static var format: ValueFormat<FormattedValue> { get }
}

extension NamedFormat where Self: RawMappable & SendableMetatype, Raw == Json {
    /// The format of `from(raw:)` and `toRaw()`.
    public static var format: ValueFormat<Self> { .plain }
}

extension Optional: NamedFormat where Wrapped: NamedFormat {
    /// The wrapped format, or `null`.
    public static var format: ValueFormat<Wrapped.FormattedValue?> { .optional(Wrapped.format) }
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
}

/// Scalars that a server sometimes puts in quotes: `@Formatted<Lenient<Int>> var count: Int`. Quotes are reported.
public enum Lenient<Base: NamedFormat>: NamedFormat {
    /// The base format, with or without quotes.
    public static var format: ValueFormat<Base.FormattedValue> { .lenient(Base.format) }
}

/// One value or an array of values: `@Formatted<OneOrMany<String>> var tags: [String]`.
public enum OneOrMany<Base: NamedFormat>: NamedFormat {
    /// The base format, or an array of it.
    public static var format: ValueFormat<[Base.FormattedValue]> { .oneOrMany(Base.format) }
}

/// Values for which a server sends `""`, `{}` or `[]` when it means `null`:
/// `@Formatted<EmptyAsNil<AbsoluteURL>> var site: URL?`. Empty values are reported.
public enum EmptyAsNil<Base: NamedFormat>: NamedFormat {
    /// The base format, or an empty string, object or array.
    public static var format: ValueFormat<Base.FormattedValue?> { .emptyAsNil(Base.format) }
}
