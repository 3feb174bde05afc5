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

// Collections written without their own `Codable` conformances. Each has a slot like any other container, so that user
// code may write elsewhere while it is open.

extension Array: DirectlyEncodable where Element: Encodable {
    static func encode(
        _ value: UnsafeRawPointer,
        _ place: CodingPathNode,
        in context: EncodingContext,
        into sink: OutputSegment
    ) throws {
        // Bound: the caller has a value of this type there.
        let array = unsafe value.assumingMemoryBound(to: [Element].self).pointee
        let route = context.route(of: Element.self)
        try unsafe context.withContainer(.array, place, into: sink) { slot, outer in
            // Elements are written without a copy.
            try unsafe array.withUnsafeBufferPointer { elements in
                guard let start = elements.baseAddress else { return }
                for index in 0..<elements.count {
                    guard let sink = unsafe slot.begin()?.sink else { return }
                    // Bound: index < count.
                    let element = unsafe start + index
                    try unsafe element.lend { element in
                        let place = unsafe CodingPathNode(in: outer, index: index)
                        try context.encodeMember(element, by: route, place, into: sink)
                    }
                }
            }
        }
    }
}

extension Dictionary: DirectlyEncodable, StringKeyedEncodableDictionary where Key == String, Value: Encodable {
    static func encode(
        _ value: UnsafeRawPointer,
        _ place: CodingPathNode,
        in context: EncodingContext,
        into sink: OutputSegment
    ) throws {
        // Bound: the caller has a value of this type there.
        let dictionary = unsafe value.assumingMemoryBound(to: [String: Value].self)
        let route = context.route(of: Value.self)
        let name = NamedCodingKey()
        try unsafe context.withContainer(.object, place, into: sink) { slot, outer in
            for (key, value) in unsafe dictionary.pointee {
                guard let sink = unsafe slot.begin()?.sink else { return }
                sink.write(key)
                sink.write(byte: Ascii.colon)
                name.name = key
                try context.encodeMember(
                    value,
                    by: route,
                    unsafe CodingPathNode(in: outer, source: .passUnretained(name), number: 0),
                    into: sink
                )
            }
        }
    }
}

extension Optional: DirectlyEncodable where Wrapped: Encodable {
    static func encode(
        _ value: UnsafeRawPointer,
        _ place: CodingPathNode,
        in context: EncodingContext,
        into sink: OutputSegment
    ) throws {
        // Bound: the caller has a value of this type there.
        guard let wrapped = unsafe value.assumingMemoryBound(to: Wrapped?.self).pointee else {
            return sink.write(literal: "null")
        }
        try context.encodeMember(wrapped, by: context.route(of: Wrapped.self), place, into: sink)
    }
}

extension EncodingContext {
    /// Opens a container for the time of a closure, which gets its slot and its place.
    fileprivate func withContainer(
        _ form: EncodingFrame.Form,
        _ place: CodingPathNode,
        into sink: OutputSegment,
        _ body: (UnsafeMutablePointer<EncodingFrame>, UnsafePointer<CodingPathNode>) throws -> Void
    ) throws {
        if sink.level >= maximumDepth { throw tooDeep(place) }
        var place = place
        try unsafe withUnsafeMutablePointer(to: &place) { place in
            var slot = unsafe EncodingFrame(sink: sink, place: place, isRunning: true)
            try unsafe withUnsafeMutablePointer(to: &slot) { slot in
                unsafe slot.push(sink)
                _ = unsafe slot.open(form)
                // Whatever happens, the slot is off the sink's list before it ends.
                defer { unsafe slot.finish() }
                try unsafe body(slot, UnsafePointer(place))
            }
        }
    }
}

/// The key of a dictionary's value, while that is written.
private final class NamedCodingKey: CodingKeySource {
    var name = ""

    override func key(_ number: Int, part: Int) -> any CodingKey { PathKey(name) }
}

extension EncodingSession {
    /// Writes a value as compact JSON.
    static func encode<Value: Encodable>(_ value: Value, _ settings: JsonEncoder) throws -> Data {
        try unsafe withUnsafePointer(to: settings) { settings in
            let reuses = unsafe settings.pointee.optimizations == .all
            let storage = unsafe (reuses ? idle.take() : nil) ?? .make()
            unsafe storage.pointee.begin(settings)
            defer {
                unsafe storage.pointee.end()
                let surplus = unsafe reuses ? idle.give(storage) : storage
                unsafe surplus?.destroy()
            }
            return try unsafe storage.write(value)
        }
    }
}

extension UnsafeMutablePointer<EncodingContext.Storage> {
    /// Writes the value that the call is for.
    fileprivate func write<Value: Encodable>(_ value: Value) throws -> Data {
        let context = unsafe EncodingContext(self)
        let sink = unsafe pointee.sink
        guard try context.encode(value, CodingPathNode(), into: sink) else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "\(typeName(Value.self)) did not encode anything.")
            )
        }
        context.finishKept()
        if let misuse = unsafe pointee.misuse { throw misuse }
        let data = sink.takeText()
        unsafe pointee.lastSize = data.count
        return unsafe pointee.hasDuplicates ? data.withoutRepeatedMembers : data
    }
}
