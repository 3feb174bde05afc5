extension Decoder {
    /// Maps the value at this decoder's place. What the mapping reports leaves here with paths from the decoder's root,
    /// as everything does that comes out of a `Decoder`; what it throws becomes a `DecodingError`, which all decoding
    /// code knows how to salvage, to collect and to unwrap.
    func mapping<Value>(_ body: (Json) throws -> Value) throws -> Value {
        try Bilayer.mapping(Json(from: self), at: codingPath, body)
    }
}

extension Encoder {
    /// Writes a value at this encoder's place.
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
