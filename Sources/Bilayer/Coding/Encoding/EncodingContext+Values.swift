import Foundation

extension EncodingContext {
    /// Returns the fast path for a type.
    @inline(__always)
    func fastPath<Value: Encodable>(of type: Value.Type) -> EncodingFastPath {
        unsafe storage.pointee.fastPaths.value(for: type) {
            EncodingFastPath(type, settings)
        }
    }

    /// Writes the value of a member or an element. Writes `{}` if the type writes nothing.
    @inline(__always)
    func encodeMember<Value: Encodable>(
        _ value: Value,
        by fastPath: EncodingFastPath,
        _ node: CodingPathNode,
        into segment: OutputSegment
    ) throws {
        if try !encode(value, by: fastPath, node, into: segment) { segment.write(literal: "{}") }
    }

    /// Writes a value of any type at the end of a segment. Returns false if the type wrote nothing.
    @inline(__always)
    func encode<Value: Encodable>(
        _ value: Value,
        by fastPath: EncodingFastPath,
        _ node: CodingPathNode,
        into segment: OutputSegment
    ) throws -> Bool {
        if case .plain = fastPath { return try encodePlain(value, node, into: segment) }
        return try encodeShortcut(value, by: fastPath, node, into: segment)
    }

    /// Writes a value by its type's fast path. Returns false only if the type's own `encode(to:)` wrote nothing.
    @inline(never)
    private func encodeShortcut<Value: Encodable>(
        _ value: Value,
        by fastPath: EncodingFastPath,
        _ node: CodingPathNode,
        into segment: OutputSegment
    ) throws -> Bool {
        // Bound of each cast: the fast path was chosen because `Value` is exactly that type.
        switch fastPath {
        case .plain: return try encodePlain(value, node, into: segment)
        case .bool: segment.write(unsafe unsafeBitCast(value, to: Bool.self))
        case .int: segment.write(unsafe unsafeBitCast(value, to: Int.self))
        case .double: try write(unsafe unsafeBitCast(value, to: Double.self), node, into: segment)
        case .string: segment.write(unsafe unsafeBitCast(value, to: String.self))
        case .date: try write(unsafe unsafeBitCast(value, to: Date.self), node, into: segment)
        case .data: try write(unsafe unsafeBitCast(value, to: Data.self), node, into: segment)
        case .url: segment.write(unsafe unsafeBitCast(value, to: URL.self).absoluteString)
        case .decimal: try write(unsafe unsafeBitCast(value, to: Decimal.self), node, into: segment)
        case .json: try write(unsafe unsafeBitCast(value, to: Json.self), node, into: segment)
        case .ints: writeArray(unsafe unsafeBitCast(value, to: [Int].self), into: segment) { $0.write($1) }
        case .doubles: try writeArray(unsafe unsafeBitCast(value, to: [Double].self), node, into: segment)
        case .strings: writeArray(unsafe unsafeBitCast(value, to: [String].self), into: segment) { $0.write($1) }
        case .scalar(let scalar):
            let scalar = unsafe unsafeDowncast(scalar.format, to: ScalarFormat<Value>.self)
            let json: Json
            do {
                json = try scalar.format.write(value)
            } catch {
                throw MappingError.located(error, at: JsonPath(node.path(in: nil)))
            }
            try write(json, node, into: segment)
        case .direct(let direct):
            try unsafe withUnsafePointer(to: value) { pointer in
                try unsafe direct.encode(UnsafeRawPointer(pointer), node, in: self, into: segment)
            }
        }
        return true
    }
}

// Collections that are written without their own `Codable` conformances. Arrays and dictionaries have a frame, as other
// containers do, because user code may write elsewhere while they are open.

extension Array: DirectlyEncodable where Element: Encodable {
    static func encode(
        _ value: UnsafeRawPointer,
        _ node: CodingPathNode,
        in context: EncodingContext,
        into segment: OutputSegment
    ) throws {
        // Bound: the caller passes the address of a value of this type.
        let array = unsafe value.assumingMemoryBound(to: [Element].self)
        let fastPath = context.fastPath(of: Element.self)
        try unsafe context.withContainer(.array, node, into: segment) { frame, outer in
            // Elements are written without a copy.
            try unsafe array.pointee.withUnsafeBufferPointer { elements in
                guard let start = elements.baseAddress else { return }
                for index in 0..<elements.count {
                    guard let segment = unsafe frame.begin()?.segment else { return }
                    // Bound: index < count.
                    let element = unsafe start + index
                    try unsafe element.borrow { element in
                        let node = unsafe CodingPathNode(in: outer, index: index)
                        try context.encodeMember(element, by: fastPath, node, into: segment)
                    }
                }
            }
        }
    }
}

extension Dictionary: DirectlyEncodable, StringKeyedEncodableDictionary where Key == String, Value: Encodable {
    static func encode(
        _ value: UnsafeRawPointer,
        _ node: CodingPathNode,
        in context: EncodingContext,
        into segment: OutputSegment
    ) throws {
        // Bound: the caller passes the address of a value of this type.
        let dictionary = unsafe value.assumingMemoryBound(to: [String: Value].self)
        let fastPath = context.fastPath(of: Value.self)
        let name = NamedCodingKey()
        try unsafe context.withContainer(.object, node, into: segment) { frame, outer in
            for (key, value) in unsafe dictionary.pointee {
                guard let segment = unsafe frame.begin()?.segment else { return }
                segment.write(key)
                segment.write(byte: Ascii.colon)
                name.name = key
                try context.encodeMember(
                    value,
                    by: fastPath,
                    unsafe CodingPathNode(in: outer, source: .passUnretained(name), number: 0),
                    into: segment
                )
            }
        }
    }
}

extension Optional: DirectlyEncodable where Wrapped: Encodable {
    static func encode(
        _ value: UnsafeRawPointer,
        _ node: CodingPathNode,
        in context: EncodingContext,
        into segment: OutputSegment
    ) throws {
        // Bound: the caller passes the address of a value of this type.
        guard let wrapped = unsafe value.assumingMemoryBound(to: Wrapped?.self).pointee else {
            return segment.write(literal: "null")
        }
        try context.encodeMember(wrapped, by: context.fastPath(of: Wrapped.self), node, into: segment)
    }
}

extension EncodingContext {
    /// Opens a container while a closure runs. The closure receives the container's frame and coding path.
    fileprivate func withContainer(
        _ form: EncodingFrame.Form,
        _ node: CodingPathNode,
        into segment: OutputSegment,
        _ body: (UnsafeMutablePointer<EncodingFrame>, UnsafePointer<CodingPathNode>) throws -> Void
    ) throws {
        if segment.level >= maximumDepth { throw tooDeep(node) }
        var node = node
        try unsafe withUnsafeMutablePointer(to: &node) { node in
            var frame = unsafe EncodingFrame(segment: segment, node: node, isRunning: true)
            try unsafe withUnsafeMutablePointer(to: &frame) { frame in
                unsafe frame.push(segment)
                _ = unsafe frame.open(form)
                // The frame leaves the segment's list before it ends, even if the closure throws.
                defer { unsafe frame.finish() }
                try unsafe body(frame, UnsafePointer(node))
            }
        }
    }
}

/// The key of the dictionary value that is being written.
private final class NamedCodingKey: CodingKeySource {
    var name = ""

    override func key(_ number: Int, part: Int) -> any CodingKey { PathKey(name) }
}
