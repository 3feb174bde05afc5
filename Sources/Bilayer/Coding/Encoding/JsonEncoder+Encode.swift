public import Foundation

extension JsonEncoder {
    /// Encodes a value as a JSON text in UTF-8.
    /// - Parameter value: The value to encode.
    /// - Returns: The text.
    /// - Throws: An `EncodingError` with the path of the value that could not be encoded, or what a type's own
    ///   `encode(to:)` or the closure of a custom strategy throws. An error of a ``ValueFormat`` is a ``MappingError``
    ///   with the path. Two properties with one key, because of paths or a naming, are a ``MappingError``, too, in a
    ///   mapping whose policy treats warnings as errors.
    public func encode(_ value: some Encodable) throws -> Data {
        let compact = try EncodingSession.encode(value, self)
        return format == .compact ? compact : Json(.written(WrittenJson(compact))).serialized(format)
    }

    /// Encodes a value as a ``Json``, which stores the encoded text. The text is parsed only when code first reads the
    /// `Json`.
    /// - Parameter value: The value to encode.
    /// - Returns: The JSON value. Its compact text needs no further serialization.
    /// - Throws: What ``encode(_:)`` throws.
    public func encodeJson(_ value: some Encodable) throws -> Json {
        Json(.written(WrittenJson(try EncodingSession.encode(value, self))))
    }
}

extension Json {
    /// Encodes a value as a ``Json``, which stores the encoded text. If the `Json` is sent, the stored text is sent
    /// unchanged. The text is parsed only when code first reads the `Json`.
    ///
    /// ```swift
    /// struct Tag: Encodable { let name: String }
    ///
    /// let json = try Json(encoding: [Tag(name: "new")])
    /// print(json)     // [{"name":"new"}]
    /// ```
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - encoder: The formats of dates, keys and data.
    /// - Throws: What ``JsonEncoder/encode(_:)`` throws.
    public init(encoding value: some Encodable, using encoder: JsonEncoder = JsonEncoder()) throws {
        self = try encoder.encodeJson(value)
    }
}

extension Json: Encodable {
    /// Encodes the value unchanged.
    ///
    /// A ``JsonEncoder`` writes the text of the value. In the compact format, each received token stays as it is. Any
    /// other encoder, for example Foundation's, receives the members and elements one by one. That encoder decides the
    /// spelling of numbers and the order of members. Everything else is preserved; a value that the encoder would
    /// change is an error.
    ///
    /// For such an encoder, a number must be exactly representable as an `Int64`, `UInt64` or `Double`. For
    /// Foundation's JSON encoder, `Decimal` is also possible. Two members whose keys are equal `String`s are an error.
    /// More than 512 arrays and objects inside of each other are an error, and so is nesting for which the thread's
    /// stack is too small. Foundation's property list encoder writes `null` as the string `$null`. So that encoder
    /// cannot write the string `$null` itself, which is an error.
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: `EncodingError.invalidValue`, with the path and the reason, for a value that the encoder would change,
    ///   for two equal keys, and for nesting that is too deep. Also throws what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        if encoder is ValueEncoder {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        } else {
            try encode(to: encoder, of: OtherCoder(type(of: encoder)))
        }
    }
}

extension EncodingSession {
    /// Writes a value as compact JSON.
    static func encode<Value: Encodable>(_ value: Value, _ settings: JsonEncoder) throws -> Data {
        try run(settings) { context in
            try context.encodeWhole(value, by: context.fastPath(of: Value.self), from: 0)
        }
    }

    /// Runs a closure that writes into the first segment of a call.
    /// - Returns: The text of the segment.
    @inline(__always)
    static func run(_ settings: JsonEncoder, _ body: (EncodingContext) throws -> Void) throws -> Data {
        try unsafe withUnsafePointer(to: settings) { settings in
            let reuses = unsafe settings.pointee.optimizations == .all
            let storage = unsafe (reuses ? idle.take() : nil) ?? .make()
            unsafe storage.pointee.begin(settings)
            defer {
                unsafe storage.pointee.end()
                let surplus = unsafe reuses ? idle.give(storage) : storage
                unsafe surplus?.destroy()
            }
            try body(unsafe EncodingContext(storage))
            let data = unsafe storage.pointee.segment.takeText()
            unsafe storage.pointee.lastSize = data.count
            return data
        }
    }
}

extension EncodingContext {
    /// Writes a whole value, which begins at the end of the first segment.
    /// - Throws: What encoding the value throws, or an error if the type wrote nothing or misused its encoder. A part
    ///   of the value may remain in the segment.
    @inline(__always)
    func encodeWhole<Value: Encodable>(_ value: Value, by fastPath: EncodingFastPath, from start: Int) throws {
        guard try encode(value, by: fastPath, CodingPathNode(), into: segment) else {
            throw EncodingError.invalidValue(
                value,
                .init(codingPath: [], debugDescription: "\(typeName(Value.self)) did not encode anything.")
            )
        }
        if unsafe segment.deferredCount > 0 || !storage.pointee.detached.isEmpty { try complete(from: start) }
    }

    /// Completes a value with parts that were written out of order, or with keys that were written twice.
    @inline(never)
    private func complete(from start: Int) throws {
        finishDetached()
        var clashes: [JsonPath] = []
        let text = try segment.completeText(from: start, &clashes)
        try report(clashes)
        endValue()
        segment.replaceText(from: start, by: text)
    }

    /// Releases what belongs to the value that was written last.
    func endValue() { unsafe storage.pointee.endValue() }
}
