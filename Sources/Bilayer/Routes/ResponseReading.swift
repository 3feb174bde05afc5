/// The raw mapping of a response to an entry, with the app's nodes for the raw value in between.
protocol ResponseReading<Entry>: Sendable {
    associatedtype Entry: Sendable

    /// The value of `Accept`; `nil` for none.
    var mediaType: String? { get }

    /// The path of the entry in the mapped JSON; `nil` if the entry is the whole JSON, or is not read from a part of
    /// it. Paths of the DTO conversion begin with this path.
    var path: JsonPath? { get }

    /// Reads an entry.
    /// - Parameters:
    ///   - response: The response.
    ///   - nodes: The client's and the route's nodes for the raw value.
    ///   - context: The call.
    /// - Returns: The entry.
    /// - Throws: The error of a stage or a node.
    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Entry

    /// Returns a reading of the same entry type that begins at a path further inside the JSON.
    /// - Parameter path: The path of that entry, relative to the value that this reading reads.
    /// - Returns: The reading.
    /// - Throws: ``PathRefusal`` if this reading reads neither JSON nor text, or cannot begin at a path.
    func reading(at path: JsonPath) throws(PathRefusal) -> any JsonReading<Entry>

    /// The names of the stages.
    func stageNames(with nodes: RawNodes) -> [String]
}

extension ResponseReading {
    var path: JsonPath? { nil }
}

/// The client's and the route's nodes for the JSON of a response.
struct RawNodes: Sendable {
    let client: NodeList<Json>
    let route: NodeList<Json>
}

/// The reason why a route cannot have its response at a path.
struct PathRefusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Reads a body of text.
struct ReadTextBody: ResponseReading {
    var mediaType: String? { "text/plain" }

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> String {
        try await ReadText().process(response, in: context)
    }

    /// Returns a reading of the JSON string at the path.
    func reading(at path: JsonPath) -> any JsonReading<String> { ReadAtPath<String>(part: path) }

    func stageNames(with nodes: RawNodes) -> [String] { names(of: ReadText()) }
}

/// Reads the response in one stage, usually a stage of the app. There is no raw value, so the app's nodes for raw
/// values do not run.
struct ReadWhole<Reader: Node>: ResponseReading where Reader.Input == HTTPResponse, Reader.Output: Sendable {
    let node: Reader
    /// The reason that ``reading(at:)`` throws.
    var refusal = "found a custom raw mapping, expected JSON for at(_:); take the part in the raw mapping"

    var mediaType: String? { nil }

    func read(_ response: HTTPResponse, through nodes: RawNodes, in context: CallContext) async throws -> Reader.Output
    {
        try await node.process(response, in: context)
    }

    func reading(at path: JsonPath) throws(PathRefusal) -> any JsonReading<Reader.Output> {
        throw PathRefusal(refusal)
    }

    func stageNames(with nodes: RawNodes) -> [String] { names(of: node) }
}
