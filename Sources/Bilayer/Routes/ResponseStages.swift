/// How an answer becomes what a route promises: the last two of the four stages.
///
/// The entry's type stays inside, so that a route and everything made for routes know one type only.
protocol ResponseStages<Response>: Sendable {
    associatedtype Entry: Sendable
    associatedtype Response: Sendable

    /// The media type to ask for.
    var mediaType: String? { get }
    /// Bytes to raw to entry, with the nodes for the raw value in between.
    var rawMapping: @Sendable (_ raw: [NodeList<Json>]) -> AnyNode<HTTPResponse, Entry> { get }
    /// Entry to response.
    var dtoConversion: AnyNode<Entry, Response> { get }
    /// The route's own nodes for the entry.
    var entry: NodeList<Entry> { get set }
    /// The route's own nodes for the response.
    var model: NodeList<Response> { get set }
}

/// The stages of a route whose types are known.
struct TypedStages<Entry: Sendable, Response: Sendable>: ResponseStages {
    let mediaType: String?
    let rawMapping: @Sendable (_ raw: [NodeList<Json>]) -> AnyNode<HTTPResponse, Entry>
    let dtoConversion: AnyNode<Entry, Response>
    var entry = NodeList<Entry>()
    var model = NodeList<Response>()

    /// Both layers.
    static func twoLayers() -> TypedStages
    where
        Response: DTODecodable, Response.DTO == Entry, Entry: RawDecodable, Entry.Raw: RawBody
    {
        TypedStages(
            mediaType: Entry.Raw.mediaType,
            rawMapping: parseAndMap,
            dtoConversion: AnyNode(ConvertDTO<Response>())
        )
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
        let mapping = AnyNode(rawMapping)
        self.init(mediaType: nil, rawMapping: { _ in mapping }, dtoConversion: AnyNode(dtoConversion))
    }

    init(
        mediaType: String?,
        rawMapping: @escaping @Sendable ([NodeList<Json>]) -> AnyNode<HTTPResponse, Entry>,
        dtoConversion: AnyNode<Entry, Response>
    ) {
        self.mediaType = mediaType
        self.rawMapping = rawMapping
        self.dtoConversion = dtoConversion
    }
}

extension TypedStages where Entry == Response {
    /// The lower layer alone.
    static func oneLayer() -> TypedStages where Entry: RawDecodable, Entry.Raw: RawBody {
        TypedStages(mediaType: Entry.Raw.mediaType, rawMapping: parseAndMap, dtoConversion: AnyNode(Identity()))
    }

    /// A body of text, UTF-8.
    static func text() -> TypedStages where Entry == String {
        TypedStages(
            mediaType: "text/plain",
            rawMapping: { _ in AnyNode(ReadText()) },
            dtoConversion: AnyNode(Identity())
        )
    }
}

extension TypedStages where Entry == NoContent, Response == Void {
    /// Nothing but the status.
    static func nothing() -> TypedStages {
        TypedStages(
            mediaType: nil,
            rawMapping: { _ in AnyNode(ParseBody<NoContent.Raw>().then(MapRaw<NoContent>())) },
            dtoConversion: AnyNode(named: "Ignore") { _, _ in }
        )
    }
}

/// Parse, then the app's nodes if the raw value is JSON, then map.
private func parseAndMap<Entry: RawDecodable & Sendable>(_ raw: [NodeList<Json>]) -> AnyNode<HTTPResponse, Entry>
where Entry.Raw: RawBody {
    let nodes = raw.compactMap { $0.node as? AnyNode<Entry.Raw, Entry.Raw> }
    let parsed = nodes.reduce(AnyNode(ParseBody<Entry.Raw>())) { AnyNode($0.then($1)) }
    return AnyNode(parsed.then(MapRaw<Entry>()))
}

/// The DTO is the model.
struct Identity<Value: Sendable>: Node, CustomStringConvertible {
    func process(_ value: Value, in context: CallContext) async throws -> Value { value }

    var description: String { "Identity" }
}
