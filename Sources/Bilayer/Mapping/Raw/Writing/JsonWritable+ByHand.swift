// A `JsonWritable` type that is also `EncodableByHand` would have several default implementations of `toRaw()`. The
// following extensions let `write(to:)` take precedence.
extension EncodableByHand where Self: JsonWritable {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: What ``JsonWritable/write(to:)`` throws; ``MappingError`` if the thread's stack is too small.
    public func toRaw() throws -> Json { try .written(self) }
}

extension EncodableByHand where Self: JsonWritable & RawRepresentable, RawValue: RawEncodable, RawValue.Raw == Json {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: What ``JsonWritable/write(to:)`` throws; ``MappingError`` if the thread's stack is too small.
    public func toRaw() throws -> Json { try .written(self) }
}
