// The response stages of a client's call. They are made for each call, and store the call's values. `fetch` runs them
// without erasing them to `AnyNode`.

/// Reads the entry: response to raw to entry, then the client's and the route's nodes.
struct ReadResponse<Entry: Sendable>: Node {
    let check: CheckStatus
    let reading: any ResponseReading<Entry>
    let raw: RawNodes
    let client: PassthroughList
    let route: NodeList<Entry>

    func process(_ response: HTTPResponse, in context: CallContext) async throws -> Entry {
        let response = try await check.process(response, in: context).collected()
        var entry = try await reading.read(response, through: raw, in: context)
        if let path = reading.path { context.beginEntry(at: path) }
        if !client.isEmpty { entry = try await client.process(entry, in: context) }
        if let node = route.node { entry = try await node.process(entry, in: context) }
        return entry
    }
}

/// Parses the body, runs the app's nodes if the raw value is JSON, and maps the raw value to the entry.
struct ParseAndMap<Entry: RawDecodable & Sendable>: ResponseReading where Entry.Raw: RawBody {
    var mediaType: String? { Entry.Raw.mediaType }

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Entry {
        var raw = try await ParseBody<Entry.Raw>().process(response, in: context)
        for node in Self.fitting(nodes) { raw = try await node.process(raw, in: context) }
        return try await MapRaw<Entry>().process(raw, in: context)
    }

    func reading(at path: JsonPath) throws(PathRefusal) -> any JsonReading<Entry> {
        guard let json = self as? any MapsJson<Entry> else {
            throw PathRefusal("found a response of \(typeName(Entry.Raw.self)), expected JSON for at(_:)")
        }
        return json.part(at: path)
    }

    func stageNames(with nodes: RawNodes) -> [String] {
        names(of: ParseBody<Entry.Raw>()) + Self.fitting(nodes).flatMap { names(of: $0) } + names(of: MapRaw<Entry>())
    }

    private static func fitting(_ nodes: RawNodes) -> [AnyNode<Entry.Raw, Entry.Raw>] {
        if nodes.client.node == nil, nodes.route.node == nil { return [] }
        return [nodes.client.node, nodes.route.node].compactMap { $0 as? AnyNode<Entry.Raw, Entry.Raw> }
    }
}

/// A raw mapping whose raw value is JSON. Code uses the conformance only through a cast. The conformance is in the file
/// of its type, because the linker could leave out a file that no code refers to.
private protocol MapsJson<Entry> {
    associatedtype Entry: Sendable

    func part(at path: JsonPath) -> any JsonReading<Entry>
}

extension ParseAndMap: MapsJson where Entry.Raw == Json {
    fileprivate func part(at path: JsonPath) -> any JsonReading<Entry> { ReadAtPath<Entry>(part: path) }
}

/// Converts the entry to the model, then runs the client's and the route's nodes.
struct ConvertResponse<Entry: Sendable, Response: Sendable>: Node {
    let conversion: any Node<Entry, Response>
    let client: PassthroughList
    let route: NodeList<Response>

    func process(_ entry: Entry, in context: CallContext) async throws -> Response {
        var model = try await conversion.process(entry, in: context)
        if !client.isEmpty { model = try await client.process(model, in: context) }
        if let node = route.node { model = try await node.process(model, in: context) }
        return model
    }
}

extension ReadResponse: NodeDescribing {
    var stageNames: [String] {
        names(of: check) + reading.stageNames(with: raw) + client.stageNames + route.stageNames
    }
}

extension ConvertResponse: NodeDescribing {
    var stageNames: [String] { names(of: conversion) + client.stageNames + route.stageNames }
}

/// The stages from the HTTP response to the route's response: the last two of the four stages of a call.
///
/// The entry's type is erased, so that a route has one type parameter only.
protocol ResponseStages<Response>: Sendable {
    associatedtype Entry: Sendable
    associatedtype Response: Sendable

    /// Bytes to raw to entry.
    var rawMapping: any ResponseReading<Entry> { get set }
    /// Entry to response.
    var dtoConversion: any Node<Entry, Response> { get }
    /// The route's own nodes for the entry.
    var entry: NodeList<Entry> { get set }
    /// The route's own nodes for the response.
    var model: NodeList<Response> { get set }
}

extension ResponseStages {
    /// Returns stages for an outer value that contains the entry of these stages. Only the entry is converted.
    /// - Parameters:
    ///   - reading: Reads the outer value.
    ///   - part: The key path of the entry in the outer value.
    ///   - rebuild: Makes the new response from the outer value and the response of these stages.
    /// - Returns: The stages.
    func inside<Outer: Sendable, NewOuter: Sendable>(
        _ reading: some ResponseReading<Outer>,
        at part: any WritableKeyPath<Outer, Entry> & Sendable,
        _ rebuild: @escaping @Sendable (Outer, Response) -> NewOuter
    ) -> TypedStages<Outer, NewOuter> {
        let inner = ConvertResponse(conversion: dtoConversion, client: PassthroughList(), route: model)
        var stages = TypedStages(reading: reading, ConvertInside(conversion: inner, part: part, rebuild: rebuild))
        stages.entry = entry.lifted(to: part)
        return stages
    }
}

/// Converts a part of a value, and makes the response from the result and the whole value.
private struct ConvertInside<Outer: Sendable, NewOuter: Sendable, Entry: Sendable, Response: Sendable>: Node,
    NodeDescribing
{
    let conversion: ConvertResponse<Entry, Response>
    let part: any WritableKeyPath<Outer, Entry> & Sendable
    let rebuild: @Sendable (Outer, Response) -> NewOuter

    func process(_ outer: Outer, in context: CallContext) async throws -> NewOuter {
        rebuild(outer, try await conversion.process(outer[keyPath: part], in: context))
    }

    var stageNames: [String] { conversion.stageNames }
}

/// The stages of a route with known entry and response types.
struct TypedStages<Entry: Sendable, Response: Sendable>: ResponseStages {
    var rawMapping: any ResponseReading<Entry>
    var dtoConversion: any Node<Entry, Response>
    var entry = NodeList<Entry>()
    var model = NodeList<Response>()

    /// Returns the stages of a route through both layers.
    static func twoLayers() -> TypedStages
    where
        Response: DTODecodable, Response.DTO == Entry, Entry: RawDecodable, Entry.Raw: RawBody
    {
        TypedStages(reading: ParseAndMap<Entry>(), ConvertDTO<Response>())
    }

    /// Returns these stages with the model nodes of `others`. If both have the same entry type, the copy also has the
    /// entry nodes and the conversion of `others`.
    func replacing(_ others: any ResponseStages<Response>) -> TypedStages {
        var stages = self
        stages.model = others.model
        if let others = others as? TypedStages {
            stages.entry = others.entry
            stages.dtoConversion = others.dtoConversion
        }
        return stages
    }

    /// Returns stages that throw a ``RouteError`` when they run: for a route that was made with another entry type, or
    /// in place of stages that cannot be made.
    static func unavailable(for route: Endpoint) -> TypedStages {
        let reason = "the route does not map through \(typeName(Entry.self)); fetch it, or make its pipeline by hand"
        return TypedStages(
            AnyNode(named: "Unavailable") { _, _ in throw RouteError(reason, in: route) },
            AnyNode(named: "Unavailable") { _, _ in throw RouteError(reason, in: route) }
        )
    }

    /// Makes stages from custom nodes of the app. There is no raw value, so the app's nodes for raw values do not run.
    init(_ rawMapping: some Node<HTTPResponse, Entry>, _ dtoConversion: some Node<Entry, Response>) {
        self.init(reading: ReadWhole(node: rawMapping), dtoConversion)
    }

    init(reading rawMapping: some ResponseReading<Entry>, _ dtoConversion: some Node<Entry, Response>) {
        self.rawMapping = rawMapping
        self.dtoConversion = dtoConversion
    }
}

extension TypedStages where Entry == Response {
    /// Returns the stages of a route through the lower layer alone.
    static func oneLayer() -> TypedStages where Entry: RawDecodable, Entry.Raw: RawBody {
        TypedStages(reading: ParseAndMap<Entry>(), Identity())
    }

    /// Returns the stages of a route that reads the body as text.
    static func text() -> TypedStages where Entry == String {
        TypedStages(reading: ReadTextBody(), Identity())
    }
}

extension TypedStages where Entry == NoContent, Response == Void {
    /// Returns the stages of a route that only checks the status.
    static func statusOnly() -> TypedStages {
        let read = ReadWhole(
            node: ParseBody<NoContent.Raw>().then(MapRaw<NoContent>()),
            refusal: "found a response of the status only, expected JSON for at(_:)"
        )
        return TypedStages(reading: read, AnyNode<NoContent, Void>(named: "Ignore") { _, _ in })
    }
}

/// Returns its input unchanged: the DTO is the model.
struct Identity<Value: Sendable>: Node, CustomStringConvertible {
    func process(_ value: Value, in context: CallContext) async throws -> Value { value }

    var description: String { "Identity" }
}
