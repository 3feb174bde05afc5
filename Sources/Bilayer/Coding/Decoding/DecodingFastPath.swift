import Foundation

/// The way in which values of a type are made. The enum has no counted references, because a fast path is copied for
/// every value that is made.
@safe
enum DecodingFastPath {
    /// The type's own `init(from:)` makes the value.
    case plain
    case bool
    case int
    case double
    case float
    case string
    case date
    case data
    case url
    case decimal
    case json
    case ints
    case doubles
    case strings
    /// This library's conformance to ``DirectlyDecodable`` makes the value.
    case direct(any DirectlyDecodable.Type)
    /// The type's own `init(from:)` makes the value. Then the keys are checked (``CheckedKeyDictionary``).
    case checked
    /// In a tolerant call, the conformance to ``SalvagedCollection`` makes the value, and may leave out parts of it.
    case salvaged(any SalvagedCollection.Type)
    /// A format makes the value. A registered format is retained by the session. A type's own format is never freed.
    case scalar(Unmanaged<AnyScalarFormat>)

    init<Value: Decodable>(_ type: Value.Type, _ settings: JsonDecoder) {
        if let scalar = settings.scalars.format(for: type) {
            self = unsafe .scalar(.passUnretained(scalar))
            return
        }
        if settings.tolerance != nil, let collection = type as? any SalvagedCollection.Type, collection.isSalvaged {
            self = .salvaged(collection)
            return
        }
        switch type {
        // The format is retained by `KnownFormats`, which never frees it.
        case let formatted as any FormattedProperty.Type: self = unsafe .scalar(.passUnretained(formatted.scalarFormat))
        case is Date.Type: self = .date
        case is Data.Type: self = .data
        case is URL.Type: self = .url
        case is Decimal.Type: self = .decimal
        case is Json.Type: self = .json
        // This is no optimization and cannot be disabled: it ensures that no key strategy converts the keys of
        // dictionaries.
        case let dictionary as any StringKeyedDictionary.Type: self = .direct(dictionary)
        case is any CheckedKeyDictionary.Type: self = .checked
        default: self = settings.optimizations.contains(.directCollections) ? Self.shortcut(type) : .plain
        }
    }

    /// Whether issues that are reported while a value is made need further handling. The issues of a format do not:
    /// `mapping(_:at:_:)` gives them their paths, or sets them aside.
    var mayReport: Bool {
        switch self {
        case .plain, .direct, .checked, .salvaged: true
        default: false
        }
    }

    private static func shortcut<Value: Decodable>(_ type: Value.Type) -> DecodingFastPath {
        switch type {
        case is Bool.Type: .bool
        case is Int.Type: .int
        case is Double.Type: .double
        case is Float.Type: .float
        case is String.Type: .string
        case is [Int].Type: .ints
        case is [Double].Type: .doubles
        case is [String].Type: .strings
        case let direct as any DirectlyDecodable.Type: .direct(direct)
        default: .plain
        }
    }
}

/// A type whose values are made directly from the index.
protocol DirectlyDecodable {
    /// Makes a value of this type from the JSON value at an index position.
    static func decode(at position: Int, _ node: CodingPathNode, in context: DecodingContext) throws -> Self
}

/// A dictionary with `String` keys, which are the keys of an object.
protocol StringKeyedDictionary: DirectlyDecodable {}
