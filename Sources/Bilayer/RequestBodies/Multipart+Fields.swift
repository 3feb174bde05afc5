extension Multipart {
    /// Returns a copy with the members of a model as fields. The model is converted through both layers.
    ///
    /// ```swift
    /// struct SignUp: Codable, RawMappable, Sendable {
    ///     let name: String
    ///     let tags: [String]
    /// }
    ///
    /// let form = try Multipart().adding(fields: SignUp(name: "Ada", tags: ["new"]), arrays: .brackets)
    /// ```
    /// The fields are named like the fields of a form (``FormArrays``). The fields are written when this method is
    /// called, before the client is known. So they follow `conventions`, not the client's conventions.
    /// - Parameters:
    ///   - value: A model, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - conventions: The naming of keys and the formats of certain types.
    /// - Returns: The changed body.
    /// - Throws: ``MappingError`` if the value cannot be written as fields.
    public func adding<Model: DTOEncodable & Sendable>(
        fields value: Model,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        conventions: CodingConventions = CodingConventions()
    ) throws -> Multipart where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
        try adding(
            BodyValue(model: value),
            FormStyle(arrays: arrays, booleans: booleans, isSorted: false),
            conventions
        )
    }

    /// Returns a copy with the members of an entry as fields.
    /// - Parameters:
    ///   - value: An entry, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - conventions: The naming of keys and the formats of certain types.
    /// - Returns: The changed body.
    /// - Throws: ``MappingError`` if the value cannot be written as fields.
    @_disfavoredOverload
    public func adding<Entry: RawEncodable & Sendable>(
        fields value: Entry,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        conventions: CodingConventions = CodingConventions()
    ) throws -> Multipart where Entry.Raw == Json {
        try adding(
            BodyValue(entry: value),
            FormStyle(arrays: arrays, booleans: booleans, isSorted: false),
            conventions
        )
    }

    /// Returns a copy with the members of a value that is only `Encodable` as fields.
    /// - Parameters:
    ///   - value: A value, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - conventions: The naming of keys and the formats of certain types.
    /// - Returns: The changed body.
    /// - Throws: ``MappingError`` if the value cannot be written as fields.
    @_disfavoredOverload
    public func adding<Value: Encodable & Sendable>(
        fields value: Value,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        conventions: CodingConventions = CodingConventions()
    ) throws -> Multipart {
        try adding(
            BodyValue(encoding: value),
            FormStyle(arrays: arrays, booleans: booleans, isSorted: false),
            conventions
        )
    }

    /// Returns a copy with the members of a `Codable` entry as fields.
    /// - Parameters:
    ///   - value: An entry, which is written as a JSON object first.
    ///   - arrays: The spelling of arrays.
    ///   - booleans: The spelling of Boolean values.
    ///   - conventions: The naming of keys and the formats of certain types.
    /// - Returns: The changed body.
    /// - Throws: ``MappingError`` if the value cannot be written as fields.
    @_disfavoredOverload
    public func adding<Entry: Encodable & RawEncodable & Sendable>(
        fields value: Entry,
        arrays: FormArrays = .repeated,
        booleans: FormBooleans = .words,
        conventions: CodingConventions = CodingConventions()
    ) throws -> Multipart where Entry.Raw == Json {
        try adding(
            BodyValue(entry: value),
            FormStyle(arrays: arrays, booleans: booleans, isSorted: false),
            conventions
        )
    }

    private func adding(
        _ value: BodyValue,
        _ style: FormStyle,
        _ conventions: CodingConventions
    ) throws -> Multipart {
        try style.items(of: value.json(under: conventions)).reduce(self) { $0.adding($1.name, $1.value) }
    }
}
