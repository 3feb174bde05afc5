/// How the bytes of a response become an entry, with the app's nodes for the raw value in between.
protocol ResponseReading<Entry>: Sendable {
    associatedtype Entry: Sendable

    /// The media type to ask for.
    var mediaType: String? { get }

    /// Reads an entry.
    /// - Parameters:
    ///   - response: The response.
    ///   - nodes: The client's and the route's nodes for the raw value.
    ///   - context: The call.
    /// - Returns: The entry.
    /// - Throws: What a stage or a node throws.
    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Entry

    /// The names of the stages.
    func stageNames(with nodes: RawNodes) -> [String]
}

/// The client's and the route's nodes for the JSON of an answer.
struct RawNodes: Sendable {
    let client: NodeList<Json>
    let route: NodeList<Json>
}

/// Parses the body, runs the app's nodes if the raw value is JSON, and maps.
struct ParseAndMap<Entry: RawDecodable & Sendable>: ResponseReading where Entry.Raw: RawBody {
    var mediaType: String? { Entry.Raw.mediaType }

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Entry {
        var raw = try await ParseBody<Entry.Raw>().process(response, in: context)
        for node in Self.fitting(nodes) { raw = try await node.process(raw, in: context) }
        return try await MapRaw<Entry>().process(raw, in: context)
    }

    func stageNames(with nodes: RawNodes) -> [String] {
        names(of: ParseBody<Entry.Raw>()) + Self.fitting(nodes).flatMap { names(of: $0) } + names(of: MapRaw<Entry>())
    }

    private static func fitting(_ nodes: RawNodes) -> [AnyNode<Entry.Raw, Entry.Raw>] {
        if nodes.client.node == nil, nodes.route.node == nil { return [] }
        return [nodes.client.node, nodes.route.node].compactMap { $0 as? AnyNode<Entry.Raw, Entry.Raw> }
    }
}

/// Reads the response in one stage, which has no raw value for the app's nodes.
struct ReadWhole<Reader: Node>: ResponseReading where Reader.Input == HTTPResponse, Reader.Output: Sendable {
    let mediaType: String?
    let node: Reader

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Reader.Output
    {
        try await node.process(response, in: context)
    }

    func stageNames(with nodes: RawNodes) -> [String] { names(of: node) }
}
