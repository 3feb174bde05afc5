import Foundation

extension EncodingContext {
    /// Writes a value of any type at the end of a sink; false if its type wrote nothing.
    @inline(__always)
    func encode<Value: Encodable>(_ value: Value, _ place: CodingPathNode, into sink: OutputSegment) throws -> Bool {
        try encode(value, by: route(of: Value.self), place, into: sink)
    }

    /// Writes a value of any type where there must be one: `{}` if its type writes nothing.
    @inline(__always)
    func encodeMember<Value: Encodable>(
        _ value: Value,
        by route: EncodingFastPath,
        _ place: CodingPathNode,
        into sink: OutputSegment
    ) throws {
        if try !encode(value, by: route, place, into: sink) { sink.write(literal: "{}") }
    }

    @inline(__always)
    private func encode<Value: Encodable>(
        _ value: Value,
        by route: EncodingFastPath,
        _ place: CodingPathNode,
        into sink: OutputSegment
    ) throws -> Bool {
        if case .plain = route { return try encodePlain(value, place, into: sink) }
        return try encodeShortcut(value, by: route, place, into: sink)
    }

    @inline(never)
    private func encodeShortcut<Value: Encodable>(
        _ value: Value,
        by route: EncodingFastPath,
        _ place: CodingPathNode,
        into sink: OutputSegment
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
