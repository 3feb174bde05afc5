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
