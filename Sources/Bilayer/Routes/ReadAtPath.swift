// The raw mapping of a route whose response is a part of the JSON.

/// A raw mapping that reads an entry from JSON in one synchronous step, after the app's nodes.
protocol JsonReading<Entry>: ResponseReading {
    /// Maps the JSON of a response.
    func entry(in json: Json) throws -> Entry
}

extension JsonReading {
    var mediaType: String? { Json.mediaType }

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Entry {
        try await ParseAndMap<WholeJson>().read(response, through: nodes, in: context)
            .mapping(in: context, at: path ?? .root) { json in try entry(in: json) }
    }
}

/// Parses the body, runs the app's nodes, and maps the value at a path.
struct ReadAtPath<Entry: RawDecodable & Sendable>: JsonReading where Entry.Raw == Json {
    let part: JsonPath

    var path: JsonPath? { part }

    func entry(in json: Json) throws -> Entry {
        try locating(at: nil, owner: typeName(Entry.self)) { try json.decode(at: part) }
    }

    func reading(at path: JsonPath) -> any JsonReading<Entry> { ReadAtPath(part: path.prefixed(by: part)) }

    func stageNames(with nodes: RawNodes) -> [String] {
        ParseAndMap<WholeJson>().stageNames(with: nodes).dropLast() + ["\(typeName(MapRaw<Entry>.self)) at \(part)"]
    }
}

/// The JSON of a response, from which no entry was read yet.
struct WholeJson: RawDecodable, Sendable {
    let json: Json

    static func from(raw: Json) -> WholeJson { WholeJson(json: raw) }

    /// Maps the JSON on the concurrent pool.
    @concurrent
    func mapping<Value: Sendable>(
        in context: CallContext,
        at path: JsonPath = .root,
        _ body: @Sendable (Json) throws -> Value
    ) async throws -> Value {
        try context.mappingResponse(at: path) { try body(json) }
    }
}
