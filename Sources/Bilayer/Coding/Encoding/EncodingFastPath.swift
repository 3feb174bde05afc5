import Foundation

/// The way in which values of a type are written.
enum EncodingFastPath {
    /// The type's own `encode(to:)` writes the value.
    case plain
    case bool
    case int
    case double
    case string
    case date
    case data
    case url
    case decimal
    case json
    case ints
    case doubles
    case strings
    /// This library's conformance to ``DirectlyEncodable`` writes the value.
    case direct(any DirectlyEncodable.Type)
    /// A registered format, or the type's own format, writes the value.
    case scalar(BorrowedFormat)

    init<Value: Encodable>(_ type: Value.Type, _ settings: JsonEncoder) {
        if let scalar = settings.scalars.format(for: type) {
            self = .scalar(BorrowedFormat(scalar))
            return
        }
        switch type {
        case let formatted as any FormattedProperty.Type: self = .scalar(BorrowedFormat(formatted.scalarFormat))
        case is Date.Type: self = .date
        case is Data.Type: self = .data
        case is URL.Type: self = .url
        case is Decimal.Type: self = .decimal
        case is Json.Type: self = .json
        // This is no optimization and cannot be disabled: it ensures that no key strategy converts the keys of
        // dictionaries.
        case let dictionary as any StringKeyedEncodableDictionary.Type: self = .direct(dictionary)
        default: self = settings.optimizations.contains(.directCollections) ? Self.shortcut(type) : .plain
        }
    }

    /// Returns the fast path of a type that has no format: one that encodes a value as the type's own `encode(to:)`
    /// would.
    private static func shortcut<Value: Encodable>(_ type: Value.Type) -> EncodingFastPath {
        switch type {
        case is Bool.Type: .bool
        case is Int.Type: .int
        case is Double.Type: .double
        case is String.Type: .string
        case is [Int].Type: .ints
        case is [Double].Type: .doubles
        case is [String].Type: .strings
        case let direct as any DirectlyEncodable.Type: .direct(direct)
        default: .plain
        }
    }
}

/// A format without reference counting, so that a fast path is copied without a call.
///
/// **Bound.** The session retains registered formats as long as the fast paths made with them. A type's own format is
/// never freed (``KnownFormats``).
@safe
struct BorrowedFormat {
    private let reference: Unmanaged<AnyScalarFormat>

    init(_ format: AnyScalarFormat) { unsafe reference = .passUnretained(format) }

    var format: AnyScalarFormat { unsafe reference.takeUnretainedValue() }
}

/// A type whose values are written without their own `encode(to:)`.
protocol DirectlyEncodable {
    /// Writes the value.
    ///
    /// **Bound.** `value` points to one value of this type.
    @unsafe
    static func encode(
        _ value: UnsafeRawPointer,
        _ node: CodingPathNode,
        in context: EncodingContext,
        into segment: OutputSegment
    ) throws
}

/// A dictionary with `String` keys, which become the keys of an object.
protocol StringKeyedEncodableDictionary: DirectlyEncodable {}
