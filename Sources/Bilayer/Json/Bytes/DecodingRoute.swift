import Foundation

/// How values of a type are made. Without counted references, as each value that is made copies one.
@safe
enum DecodingRoute {
    /// By the type's own `init(from:)`.
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
    /// By a conformance of ours.
    case direct(any DirectlyDecodable.Type)
    /// By the type's own `init(from:)`, and then its keys are checked.
    case checked
    /// By a registered format, which is for this type; the session's settings hold it.
    case scalar(Unmanaged<AnyScalarFormat>)

    init<Value: Decodable>(_ type: Value.Type, _ settings: JsonDecoder) {
        if let scalar = settings.scalars.format(for: type) {
            self = unsafe .scalar(.passUnretained(scalar))
            return
        }
        switch type {
        case is Date.Type: self = .date
        case is Data.Type: self = .data
        case is URL.Type: self = .url
        case is Decimal.Type: self = .decimal
        case is Json.Type: self = .json
        // Keys of dictionaries are values that no key strategy touches, so this one is no trick.
        case let dictionary as any StringKeyedDictionary.Type: self = .direct(dictionary)
        case is any CheckedKeyDictionary.Type: self = .checked
        default: self = settings.tricks.contains(.directCollections) ? Self.shortcut(type) : .plain
        }
    }

    private static func shortcut<Value: Decodable>(_ type: Value.Type) -> DecodingRoute {
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

/// A type whose values are made straight from the index.
protocol DirectlyDecodable {
    /// Makes a value of this type from the one at an index position.
    static func decode(at position: Int, _ place: CodingPlace, in context: DecodingContext) throws -> Self
}

/// Dictionaries whose keys are the keys of an object.
protocol StringKeyedDictionary: DirectlyDecodable {}

extension DecodingContext {
    /// Makes a value of any type.
    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type, at position: Int, _ place: CodingPlace) throws -> Value {
        if isDetached { return try continueDetached(type, at: position, place) }
        return try value(type, by: route(of: type), at: position, place)
    }

    /// The same in a call of its own, for decoders and containers that outlived theirs.
    @inline(never)
    private func continueDetached<Value: Decodable>(
        _ type: Value.Type,
        at position: Int,
        _ place: CodingPlace
    ) throws -> Value {
        guard let document else { throw failure(type, at: position, place.path(in: nil)) }
        return try DecodingSession.run(document, settings, path: place.path(in: nodes)) { context in
            try context.value(type, at: position, context.root)
        }
    }

    @inline(__always)
    func value<Value: Decodable>(
        _ type: Value.Type,
        by route: DecodingRoute,
        at position: Int,
        _ place: CodingPlace
    ) throws -> Value {
        if case .plain = route { return try makeValue(type, at: position, place) }
        return try shortcut(type, by: route, at: position, place)
    }

    @inline(never)
    private func shortcut<Value: Decodable>(
        _ type: Value.Type,
        by route: DecodingRoute,
        at position: Int,
        _ place: CodingPlace
    ) throws -> Value {
        // Bound of each cast: the route was chosen because `Value` is that very type.
        switch route {
        case .plain: return try makeValue(type, at: position, place)
        case .bool: return unsafe unsafeBitCast(try bool(at: position, place), to: type)
        case .int: return unsafe unsafeBitCast(try integer(Int.self, at: position, place), to: type)
        case .double: return unsafe unsafeBitCast(try floatingPoint(Double.self, at: position, place), to: type)
        case .float: return unsafe unsafeBitCast(try floatingPoint(Float.self, at: position, place), to: type)
        case .string: return unsafe unsafeBitCast(try string(at: position, place), to: type)
        case .date: return unsafe unsafeBitCast(try date(at: position, place), to: type)
        case .data: return unsafe unsafeBitCast(try data(at: position, place), to: type)
        case .url: return unsafe unsafeBitCast(try url(at: position, place), to: type)
        case .decimal: return unsafe unsafeBitCast(try decimal(at: position, place), to: type)
        case .json: return unsafe unsafeBitCast(json(at: position), to: type)
        case .ints: return unsafe unsafeBitCast(try ints(at: position, place), to: type)
        case .doubles: return unsafe unsafeBitCast(try doubles(at: position, place), to: type)
        case .strings: return unsafe unsafeBitCast(try strings(at: position, place), to: type)
        case .direct(let direct): return try unsafe make(direct, as: type, at: position, place)
        case .checked:
            let value = try makeValue(type, at: position, place)
            try (value as? any CheckedKeyDictionary)?.checkKeys(at: JsonPath(place.path(in: nodes)))
            return value
        case .scalar(let scalar):
            let format = unsafe unsafeDowncast(scalar.takeUnretainedValue(), to: ScalarFormat<Value>.self).format
            return try mapping(json(at: position), at: place.path(in: nodes)) { try format.read($0) }
        }
    }

    /// Bound: `Direct` and `Value` are the same type.
    @unsafe
    @inline(__always)
    private func make<Direct: DirectlyDecodable, Value>(
        _ direct: Direct.Type,
        as type: Value.Type,
        at position: Int,
        _ place: CodingPlace
    ) throws -> Value {
        unsafe unsafeBitCast(try direct.decode(at: position, place, in: self), to: type)
    }
}
