import Foundation

/// How values of a type are written.
enum EncodingRoute {
    /// By the type's own `encode(to:)`.
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
    /// By a conformance of ours.
    case direct(any DirectlyEncodable.Type)
    /// By a registered format, which is for this type.
    case scalar(LentFormat)

    init<Value: Encodable>(_ type: Value.Type, _ settings: JsonEncoder) {
        if let scalar = settings.scalars.format(for: type) {
            self = .scalar(LentFormat(scalar))
            return
        }
        switch type {
        case is Date.Type: self = .date
        case is Data.Type: self = .data
        case is URL.Type: self = .url
        case is Decimal.Type: self = .decimal
        case is Json.Type: self = .json
        // Keys of dictionaries are values that no key strategy touches, so this one is no trick.
        case let dictionary as any StringKeyedEncodableDictionary.Type: self = .direct(dictionary)
        default: self = settings.tricks.contains(.directCollections) ? Self.shortcut(type) : .plain
        }
    }

    private static func shortcut<Value: Encodable>(_ type: Value.Type) -> EncodingRoute {
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

/// A registered format whose references are not counted, so that routes are copied without a call.
///
/// **Bound.** The session holds the formats as long as the routes that it found out with them.
@safe
struct LentFormat {
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
        _ place: CodingPlace,
        in context: EncodingContext,
        into sink: EncodingSink
    ) throws
}

/// Dictionaries whose keys become the keys of an object.
protocol StringKeyedEncodableDictionary: DirectlyEncodable {}

extension EncodingContext {
    /// Writes a value of any type at the end of a sink; false if its type wrote nothing.
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, _ place: CodingPlace, into sink: EncodingSink) throws -> Bool {
        try encode(value, by: route(of: Value.self), place, into: sink)
    }

    /// Writes a value of any type where there must be one: `{}` if its type writes nothing.
    @inline(__always)
    func encodeMember<Value: Encodable>(
        _ value: Value,
        by route: EncodingRoute,
        _ place: CodingPlace,
        into sink: EncodingSink
    ) throws {
        if try !encode(value, by: route, place, into: sink) { sink.write(literal: "{}") }
    }

    @inline(__always)
    private func encode<Value: Encodable>(
        _ value: Value,
        by route: EncodingRoute,
        _ place: CodingPlace,
        into sink: EncodingSink
    ) throws -> Bool {
        if case .plain = route { return try encodePlain(value, place, into: sink) }
        return try encodeShortcut(value, by: route, place, into: sink)
    }

    @inline(never)
    private func encodeShortcut<Value: Encodable>(
        _ value: Value,
        by route: EncodingRoute,
        _ place: CodingPlace,
        into sink: EncodingSink
    ) throws -> Bool {
        // Bound of each cast: the route was chosen because `Value` is that very type.
        switch route {
        case .plain: return try encodePlain(value, place, into: sink)
        case .bool: sink.write(unsafe unsafeBitCast(value, to: Bool.self))
        case .int: sink.write(unsafe unsafeBitCast(value, to: Int.self))
        case .double: try write(unsafe unsafeBitCast(value, to: Double.self), place, into: sink)
        case .string: sink.write(unsafe unsafeBitCast(value, to: String.self))
        case .date: return try write(unsafe unsafeBitCast(value, to: Date.self), place, into: sink)
        case .data: return try write(unsafe unsafeBitCast(value, to: Data.self), place, into: sink)
        case .url: sink.write(unsafe unsafeBitCast(value, to: URL.self).absoluteString)
        case .decimal: try write(unsafe unsafeBitCast(value, to: Decimal.self), place, into: sink)
        case .json: sink.write(unsafe unsafeBitCast(value, to: Json.self))
        case .ints: writeArray(unsafe unsafeBitCast(value, to: [Int].self), into: sink) { $0.write($1) }
        case .doubles: try writeArray(unsafe unsafeBitCast(value, to: [Double].self), place, into: sink)
        case .strings: writeArray(unsafe unsafeBitCast(value, to: [String].self), into: sink) { $0.write($1) }
        case .scalar(let scalar):
            let format = unsafe unsafeDowncast(scalar.format, to: ScalarFormat<Value>.self).format
            do {
                sink.write(try format.write(value))
            } catch {
                throw MappingError.located(error, at: JsonPath(place.path(in: nil)))
            }
        case .direct(let direct):
            try unsafe withUnsafePointer(to: value) { pointer in
                try unsafe direct.encode(UnsafeRawPointer(pointer), place, in: self, into: sink)
            }
        }
        return true
    }
}
