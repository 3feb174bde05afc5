import Foundation

/// The parameters of a GraphQL request (GraphQL over HTTP §5.1).
struct GraphQLParameters: Sendable, Hashable {
    var query: String?
    var operationName: String?
    var variables: Json?
    var extensions: [String: Json] = [:]

    init(query: String?, operationName: String?) {
        self.query = query
        self.operationName = operationName
    }

    /// Reads the parameters from the JSON body of a request, which has a document or its hash (``PersistedQueries``).
    /// Returns `nil` if the body is anything else.
    init?(_ request: HTTPRequest) {
        guard request.headers[.contentType].flatMap({ MediaType($0) })?.isJson == true,
            let json = request.body?.data.flatMap({ try? Json(parsing: $0) })
        else { return nil }
        query = json["query"]?.string
        if query == nil, json["extensions"]?["persistedQuery"] == nil { return nil }
        operationName = json["operationName"]?.string
        variables = json["variables"]
        let extensions = json["extensions"]?.effectiveMembers.map { ($0.key, $0.value) } ?? []
        self.extensions = Dictionary(extensions) { first, _ in first }
    }

    /// Reads the parameters from the JSON body of a request, for a middleware that changes how the operation is sent.
    /// For a compressed body, returns `nil`, and adds a note to the call that the operation is sent as it is.
    init?(_ request: HTTPRequest, in context: CallContext) {
        if request.headers.isEncoded {
            context.note("the operation is compressed, so it is sent as it is")
            return nil
        }
        self.init(request)
    }

    /// The JSON object that is sent.
    var json: Json {
        var json: Json = [:]
        if let operationName { json["operationName"] = Json(operationName) }
        if let query { json["query"] = Json(query) }
        if let variables { json["variables"] = variables }
        if !extensions.isEmpty { json["extensions"] = extensionsJson }
        return json
    }

    /// Returns the request with the parameters in its body.
    func asBody(of request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.body = .data(json.serialized())
        return request
    }

    /// Returns a `GET` request without a body, with the parameters in the query of its URL (GraphQL over HTTP §5.3).
    func asQuery(of request: HTTPRequest) throws -> HTTPRequest {
        var items = QueryItems()
        items.append(query, for: "query")
        items.append(operationName, for: "operationName")
        items.append(variables.map { $0.description(.compact) }, for: "variables")
        items.append(extensions.isEmpty ? nil : extensionsJson.description(.compact), for: "extensions")
        var request = request
        request.method = .get
        request.body = nil
        request.headers.remove(.contentType)
        guard let url = request.url.appending(items) else {
            let reason = "found an operation that makes no URL, expected one that does"
            throw RouteError(reason, in: Endpoint(.get, request.url.path()))
        }
        request.url = url
        return request
    }

    /// The extensions in the order of their names, so that equal operations make equal requests.
    private var extensionsJson: Json {
        extensions.sorted { $0.key < $1.key }.reduce(into: [:] as Json) { $0[$1.key] = $1.value }
    }
}

extension URL {
    /// Returns the address with items appended to its query; `nil` if the result is not a URL.
    fileprivate func appending(_ items: QueryItems) -> URL? {
        let text = absoluteString
        let pairs = items.encodedPairs.joined(separator: "&")
        // The query ends where the fragment begins (RFC 3986 §3.4).
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let separator = text[..<end].utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
        return pairs.isEmpty ? self : URL(string: text[..<end] + separator + pairs + text[end...])
    }
}

extension Json {
    fileprivate func description(_ format: Format) -> String {
        String(decoding: serialized(format), as: UTF8.self)
    }
}
