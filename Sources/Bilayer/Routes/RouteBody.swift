/// The body of a route: a model, an entry or a raw value, with its type erased.
struct RouteBody: Sendable {
    let node: AnyNode<Void, RequestBody?>

    /// A model, which is converted through both layers.
    init<Model: DTOEncodable & Sendable>(model: Model)
    where Model.DTO: RawEncodable & Sendable, Model.DTO.Raw: RawBody {
        let start = AnyNode<Void, Model>(of: Model.self) { _, _ in model }
        node = AnyNode(
            start.then(ConvertModel<Model>()).then(MapEntry<Model.DTO>()).then(WriteBody<Model.DTO.Raw>())
        )
    }

    /// An entry or a raw value, which is converted by the lower layer only.
    init<Entry: RawEncodable & Sendable>(entry: Entry) where Entry.Raw: RawBody {
        let start = AnyNode<Void, Entry>(of: Entry.self) { _, _ in entry }
        node = AnyNode(start.then(MapEntry<Entry>()).then(WriteBody<Entry.Raw>()))
    }
}
