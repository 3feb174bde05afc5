/// A type of the lower layer that writes itself as JSON by hand: the fast path of ``RawEncodable``.
///
/// The value is written directly into the bytes that are sent. A type with only ``RawEncodable/toRaw()`` first makes a
/// ``Json``, which costs an allocation or two for each value. A `Codable` type uses an encoder, which is slower as
/// well. Choose this protocol for entries that are sent in large numbers.
///
/// ```swift
/// struct PointEntry: JsonWritable {
///     let x: Double
///     let label: String?
///     let corners: [PointEntry]
///
///     func write(to json: inout JsonWriter) throws {
///         try json.writeObject { point in
///             try point.write(x, forKey: "x")
///             try point.writeIfPresent(label, forKey: "label")
///             try point.write(corners, forKey: "corners")
///         }
///     }
/// }
/// ```
/// `toRaw()` has a default implementation. Strings, numbers, Boolean values and ``Json`` conform, and so do optionals,
/// arrays and dictionaries of writable types.
public protocol JsonWritable: RawEncodable where Raw == Json {
    /// Writes this value.
    /// - Parameter json: The writer of this value. Call exactly one of its functions; without a call the value is
    ///   `null`.
    /// - Throws: ``MappingError`` with a path relative to this value, when the value cannot be written.
    func write(to json: inout JsonWriter) throws
}

extension JsonWritable {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: What ``JsonWritable/write(to:)`` throws; ``MappingError`` if the thread's stack is too small.
    public func toRaw() throws -> Json { try .written(self) }
}

// A type that is also `Encodable`, or has a raw value, would have several default implementations of `toRaw()`. The
// following extensions let `write(to:)` take precedence.
extension JsonWritable where Self: Encodable {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: What ``JsonWritable/write(to:)`` throws; ``MappingError`` if the thread's stack is too small.
    public func toRaw() throws -> Json { try .written(self) }
}

extension JsonWritable where Self: RawRepresentable, RawValue: RawEncodable, RawValue.Raw == Json {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: What ``JsonWritable/write(to:)`` throws; ``MappingError`` if the thread's stack is too small.
    public func toRaw() throws -> Json { try .written(self) }
}

extension JsonWritable where Self: RawRepresentable & Encodable, RawValue: RawEncodable, RawValue.Raw == Json {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: What ``JsonWritable/write(to:)`` throws; ``MappingError`` if the thread's stack is too small.
    public func toRaw() throws -> Json { try .written(self) }
}

extension JsonWritable {
    /// Returns the JSON of an array of this type; `nil` for any other value. Called on `any JsonWritable.Type`, where
    /// the element type is known only at run time.
    static func array(_ elements: Any) throws -> Json? {
        guard let elements = elements as? [Self] else { return nil }
        return try .written(elements)
    }
}

extension Json {
    /// Returns the JSON that a value writes. Its bytes are sent unchanged. An index over the bytes is made only when a
    /// part of the JSON is read. This is no initializer: an initializer's parameter is owned, so the value would be
    /// copied.
    static func written(_ value: some JsonWritable) throws -> Json {
        Json(.written(WrittenJson(try JsonWriter.collect { try value.write(to: &$0) })))
    }

    /// Makes an object whose members are written one after another.
    ///
    /// ```swift
    /// struct NoteEntry: RawEncodable {
    ///     let text: String
    ///     let author: String?
    ///
    ///     func toRaw() throws -> Json {
    ///         try Json.object { note in
    ///             try note.write(text, forKey: "text")
    ///             try note.writeIfPresent(author, forKey: "author")
    ///         }
    ///     }
    /// }
    /// ```
    /// - Parameter members: Writes the members.
    /// - Returns: The object.
    /// - Throws: What `members` throws; ``MappingError`` if the thread's stack is too small.
    public static func object(_ members: (inout JsonObjectWriter) throws -> Void) throws -> Json {
        Json(.written(WrittenJson(try JsonWriter.collect { try $0.writeObject(members) })))
    }

    /// Makes an array whose elements are written one after another.
    /// - Parameter elements: Writes the elements.
    /// - Returns: The array.
    /// - Throws: What `elements` throws; ``MappingError`` if the thread's stack is too small.
    public static func array(_ elements: (inout JsonArrayWriter) throws -> Void) throws -> Json {
        Json(.written(WrittenJson(try JsonWriter.collect { try $0.writeArray(elements) })))
    }
}
