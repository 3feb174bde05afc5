/// How an answer becomes what a route promises: the last two of the four stages.
///
/// The entry's type stays inside, so that a route and everything made for routes know one type only.
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

    /// The stages with the nodes that others have for the same types.
    func keepingNodes(of others: any ResponseStages<Response>) -> TypedStages {
        var stages = self
        stages.model = others.model
        if let others = others as? TypedStages { stages.entry = others.entry }
        return stages
    }

    /// The stages of a route that was made with another type in the middle: they say so when they run.
    static func unavailable(for route: Endpoint) -> TypedStages {
        let reason = "the route does not map through \(typeName(Entry.self)); fetch it, or make its pipeline by hand"
        return TypedStages(
            AnyNode(named: "Unavailable") { _, _ in throw RouteError(reason, in: route) },
            AnyNode(named: "Unavailable") { _, _ in throw RouteError(reason, in: route) }
        )
    }

    /// Stages of the app's own making. Nodes for the raw value find none here.
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
    /// Nothing but the status.
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
