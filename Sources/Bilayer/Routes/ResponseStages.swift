/// The stages from the HTTP response to the route's response: the last two of the four.
///
/// The entry's type is erased, so that a route has one type parameter only.
protocol ResponseStages<Response>: Sendable {
    associatedtype Entry: Sendable
    associatedtype Response: Sendable

    /// Bytes to raw to entry.
    var rawMapping: any ResponseReading<Entry> { get }
    /// Entry to response.
    var dtoConversion: any Node<Entry, Response> { get }
    /// The route's own nodes for the entry.
    var entry: NodeList<Entry> { get set }
    /// The route's own nodes for the response.
    var model: NodeList<Response> { get set }
}

/// The stages of a route whose types are known.
struct TypedStages<Entry: Sendable, Response: Sendable>: ResponseStages {
    let rawMapping: any ResponseReading<Entry>
    let dtoConversion: any Node<Entry, Response>
    var entry = NodeList<Entry>()
    var model = NodeList<Response>()

    /// Both layers.
    static func twoLayers() -> TypedStages
    where
        Response: DTODecodable, Response.DTO == Entry, Entry: RawDecodable, Entry.Raw: RawBody
    {
        TypedStages(reading: ParseAndMap<Entry>(), ConvertDTO<Response>())
    }

    /// These stages with the nodes of other stages of equal types.
    func keepingNodes(of others: any ResponseStages<Response>) -> TypedStages {
        var stages = self
        stages.model = others.model
        if let others = others as? TypedStages { stages.entry = others.entry }
        return stages
    }

    /// Stages that throw an error when they run, for a route that was made with another entry type.
    static func unavailable(for route: Endpoint) -> TypedStages {
        let reason = "the route does not map through \(typeName(Entry.self)); fetch it, or make its pipeline by hand"
        return TypedStages(
            AnyNode(named: "Unavailable") { _, _ in throw RouteError(reason, in: route) },
            AnyNode(named: "Unavailable") { _, _ in throw RouteError(reason, in: route) }
        )
    }

    /// Custom stages of the app. They have no raw value, so nodes for it do not run.
    init(_ rawMapping: some Node<HTTPResponse, Entry>, _ dtoConversion: some Node<Entry, Response>) {
        self.init(reading: ReadWhole(mediaType: nil, node: rawMapping), dtoConversion)
    }

    init(reading rawMapping: some ResponseReading<Entry>, _ dtoConversion: some Node<Entry, Response>) {
        self.rawMapping = rawMapping
        self.dtoConversion = dtoConversion
    }
}

extension TypedStages where Entry == Response {
    /// The lower layer alone.
    static func oneLayer() -> TypedStages where Entry: RawDecodable, Entry.Raw: RawBody {
        TypedStages(reading: ParseAndMap<Entry>(), Identity())
    }

    /// A body of text, UTF-8.
    static func text() -> TypedStages where Entry == String {
        TypedStages(reading: ReadWhole(mediaType: "text/plain", node: ReadText()), Identity())
    }
}

extension TypedStages where Entry == NoContent, Response == Void {
    /// The status only.
    static func nothing() -> TypedStages {
        let ignore = AnyNode<NoContent, Void>(named: "Ignore") { _, _ in }
        return TypedStages(ParseBody<NoContent.Raw>().then(MapRaw<NoContent>()), ignore)
    }
}

/// The DTO is the model.
struct Identity<Value: Sendable>: Node, CustomStringConvertible {
    func process(_ value: Value, in context: CallContext) async throws -> Value { value }

    var description: String { "Identity" }
}
