// A type that is `EncodableByHand`, too, would have several default implementations of `toRaw()`. The following
// extensions let `write(to:)` take precedence.
extension EncodableByHand where Self: JsonWritable {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: ``MappingError``, when the value cannot be written.
    public func toRaw() throws -> Json { try .written(self) }
}

extension EncodableByHand where Self: JsonWritable & RawRepresentable, RawValue: RawEncodable, RawValue.Raw == Json {
    /// Returns the written value.
    /// - Returns: The JSON; its bytes are ready to be sent.
    /// - Throws: ``MappingError``, when the value cannot be written.
    public func toRaw() throws -> Json { try .written(self) }
}
