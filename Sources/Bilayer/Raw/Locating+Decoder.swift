extension Decoder {
    /// Maps the decoder's value. Issues get paths from the decoder's root, as all issues from a `Decoder` do. A thrown
    /// error becomes a `DecodingError`, which all decoding code can salvage, collect and unwrap.
    func mapping<Value>(_ body: (Json) throws -> Value) throws -> Value {
        try Bilayer.mapping(Json(from: self), at: codingPath, body)
    }
}

extension Encoder {
    /// Writes a value into this encoder.
    func write<Value>(_ value: Value, as format: ValueFormat<Value>) throws {
        let raw: Json
        do {
            raw = try format.write(value)
        } catch {
            throw MappingError.located(error, at: JsonPath(codingPath))
        }
        try raw.encode(to: self)
    }
}
