// The mapping stages of a route whose response is a part of the JSON.

/// A raw mapping that reads a part of the JSON.
protocol ReadsPart {
    /// The path of the part.
    var path: String { get }
}

/// Parses the body, runs the app's nodes, and maps the value at a path.
struct ReadAtPath<Entry: RawDecodable & Sendable>: ResponseReading, ReadsPart where Entry.Raw == Json {
    let path: String

    var mediaType: String? { Json.mediaType }

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Entry {
        try await ParseAndMap<WholeJson>().read(response, through: nodes, in: context)
            .mapping(in: context) { json in
                try locating(at: nil, owner: typeName(Entry.self)) { try json.decode(path: path) }
            }
    }

    func stageNames(with nodes: RawNodes) -> [String] { ParseAndMap<Entry>().stageNames(with: nodes) }
}

/// The JSON of a response, which is not read yet.
struct WholeJson: RawDecodable, Sendable {
    let json: Json

    static func from(raw: Json) -> WholeJson { WholeJson(json: raw) }

    /// Maps the JSON on the concurrent pool.
    @concurrent
    func mapping<Value: Sendable>(
        in context: CallContext,
        _ body: @Sendable (Json) throws -> Value
    ) async throws -> Value {
        try context.mappingResponse { try body(json) }
    }
}

/// Makes a model from its DTO, which is a part of the JSON.
struct ConvertAtPath<Model: DTODecodable & Sendable>: Node where Model.DTO: Sendable {
    let path: String

    @concurrent
    func process(_ dto: Model.DTO, in context: CallContext) async throws -> Model {
        try context.mappingResponse {
            try locating(at: JsonPath(path) ?? .root) { try Model.converted(from: dto) }
        }
    }
}

extension ConvertAtPath: CustomStringConvertible {
    var description: String { "\(typeName(ConvertDTO<Model>.self)) at \(path)" }
}
