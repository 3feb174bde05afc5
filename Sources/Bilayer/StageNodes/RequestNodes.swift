public import Foundation

// The nodes that make a request from a model, in the order of the flow: model, DTO, raw value, body, request.

/// Converts a model to its DTO: the first step of the request encoding.
public struct ConvertModel<Model: DTOEncodable & Sendable>: Node where Model.DTO: Sendable {
    /// Makes the node.
    public init() {}

    /// Converts the model on the concurrent pool.
    /// - Returns: The DTO.
    /// - Throws: ``MappingError``, or a `CancellationError` of the app's code.
    @concurrent
    public func process(_ model: Model, in context: CallContext) async throws -> Model.DTO {
        try context.mapping { try MappingSession.convertingToWrite { try model.converted() } }
    }
}

extension ConvertModel: CustomStringConvertible {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

/// Converts an entry to its raw value: the second step of the request encoding.
public struct MapEntry<Entry: RawEncodable & Sendable>: Node where Entry.Raw: Sendable {
    /// Makes the node.
    public init() {}

    /// Converts the entry on the concurrent pool.
    /// - Returns: The raw value.
    /// - Throws: ``MappingError``. An `EncodingError` of the entry becomes an issue at its coding path. Any other error
    ///   is the ``MappingIssue/underlyingError`` of one issue. Only a `CancellationError` is thrown unchanged.
    @concurrent
    public func process(_ entry: Entry, in context: CallContext) async throws -> Entry.Raw {
        do {
            return try context.mapping { try entry.toRaw() }
        } catch {
            throw MappingError.owned(error, by: typeName(Entry.self))
        }
    }
}

extension MapEntry: CustomStringConvertible {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

/// Writes a raw value as the body of a request: the third step of the request encoding.
public struct WriteBody<Raw: RawBody>: Node, CustomStringConvertible {
    /// Makes the node.
    public init() {}

    /// Writes the body on the concurrent pool.
    /// - Returns: The body.
    /// - Throws: An error of the format.
    @concurrent
    public func process(_ raw: Raw, in context: CallContext) async throws -> RequestBody? {
        try context.mapping { RequestBody(try raw.serialized(), mediaType: Raw.mediaType) }
    }

    /// The name of the node: `WriteJson` for ``Json``.
    public var description: String { "Write\(typeName(Raw.self))" }
}

/// Makes the request from method, address, headers and body: the last step of the request encoding.
public struct BuildRequest: Node {
    private let baseURL: URL
    private let endpoint: Endpoint
    private let headers: HTTPHeaders
    private let timeout: Duration?

    /// Makes the node.
    /// - Parameters:
    ///   - endpoint: Method, path, arguments and query.
    ///   - baseURL: The base address, to which the path is appended.
    ///   - headers: The headers of the request. A `Content-Type` here replaces the media type of the body.
    ///   - timeout: The longest wait for the next byte (``HTTPRequest/timeout``).
    public init(_ endpoint: Endpoint, baseURL: URL, headers: HTTPHeaders = [:], timeout: Duration? = nil) {
        self.endpoint = endpoint
        self.baseURL = baseURL
        self.headers = headers
        self.timeout = timeout
    }

    /// Makes the request.
    /// - Returns: The request.
    /// - Throws: ``RouteError`` if the path, its arguments and the base address do not form a valid URL, or if the path
    ///   is a whole address or has a relative segment (`..`). The ``MappingError`` of a query whose value cannot be
    ///   written.
    public func process(_ body: RequestBody?, in context: CallContext) async throws -> HTTPRequest {
        let url = try endpoint.url(relativeTo: baseURL)
        var request = HTTPRequest(method: endpoint.method, url: url, headers: headers, body: body?.content)
        request.timeout = timeout
        request.endpoint = endpoint
        request.baseURL = baseURL
        if let body, headers[.contentType] == nil { request.headers[.contentType] = body.mediaType }
        return request
    }
}

extension BuildRequest: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}
