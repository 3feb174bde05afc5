/// A value of the app that is written as JSON. A form, a query, a patch, the fields of a multipart body or a JSON body
/// is then made from this JSON.
struct BodyValue: Sendable {
    /// Writes the value under the conventions of the mapping in progress.
    let json: @Sendable () throws -> Json
    private let type: String

    /// Makes the value of a model, which is converted through both layers.
    init<Model: DTOEncodable & Sendable>(model: Model) where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
        type = typeName(Model.self)
        json = { try MappingSession.convertingToWrite { try model.converted() }.toRaw() }
    }

    /// Makes the value of an entry.
    init<Entry: RawEncodable & Sendable>(entry: Entry) where Entry.Raw == Json {
        type = typeName(Entry.self)
        json = { try entry.toRaw() }
    }

    /// Makes the value of a type that is only `Encodable`, such as a type of another module.
    init<Value: Encodable & Sendable>(encoding value: Value) {
        type = typeName(Value.self)
        json = { try Json(entry: value) }
    }

    /// Writes the value under other conventions; `nil` means the conventions of the call.
    func json(under conventions: CodingConventions?, policy: MappingPolicy = .standard) throws -> Json {
        do {
            guard let conventions else { return try json() }
            return try MappingSession(policy: policy, conventions: conventions).run(json)
        } catch {
            throw MappingError.owned(error, by: type)
        }
    }
}
