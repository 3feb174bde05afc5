import Foundation

/// Sends the hash of an operation's document instead of the document: automatic persisted queries.
///
/// ```swift
/// var client = client
/// client.transport = AnyNode(client.transport.wrapped(by: PersistedQueries()))
/// ```
/// If the server has no document for the hash, the request is sent again with the document and the hash.
///
/// A server without persisted queries receives hashes until the middleware detects this; after that it receives only
/// documents. The middleware detects such a server in two ways. The server reports that it does not support persisted
/// queries. Or it responds to the hash without data, and to the document with data. A response of another server, such
/// as the login page of a hotel's network, says nothing about persisted queries.
///
/// The middleware detects this separately for each endpoint, which is an address without its query. At most 100
/// endpoints are stored. If the servers of a ``Failover`` differ, put the middleware inside of the failover. If it is
/// around the failover, the facts about the first server decide what every server receives.
///
/// A mutation is executed at most once. After its hash, its document is sent only if the response to the hash proves
/// that the mutation was not executed. Such a response has errors, no error has a path, and `data` is missing. `data`
/// may also be `null` if all errors say that the server does not have the hash, or has no persisted queries. A response
/// with the status 500 proves nothing unless an error says one of the two.
///
/// Requests with files, compressed requests and requests for streams are passed on with their documents. Mutations with
/// an `Idempotency-Key` are also passed on with their documents, because the key belongs to one body.
///
/// With `.get`, a query is sent as a `GET` with its hash. HTTP caches and content delivery networks can cache the
/// response to this short address. Put the middleware around an ``HTTPCache`` in this case. If the server refuses the
/// `GET`, later hashes are sent by `POST`. Apollo Server refuses a `GET` without a header field such as
/// `Apollo-Require-Preflight: true`, so add the field to the client.
///
/// Put this middleware around middlewares that retry, sign or join requests (``OperationBatching``). Both of its
/// requests then pass through them.
public struct PersistedQueries: Middleware {
    private let method: HTTPMethod
    /// The facts about each endpoint, by its address without the query. At most ``maximumServers``.
    private let servers = Locked<[String: Server]>([:])
    private static let maximumServers = 100

    /// The facts that the responses of an endpoint have shown; `nil` means unknown.
    private struct Server {
        var hasHashes: Bool?
        var takesGET: Bool?
    }

    /// Makes the middleware. Its copies share the detected facts about the servers.
    /// - Parameter method: `.get` or `.post`: the method of queries that are sent by their hash. Mutations are always
    ///   sent by `POST`.
    public init(hashesBy method: HTTPMethod = .post) { self.method = method }

    /// Sends the hash, and then the document if the server requires it.
    /// - Throws: The error of `next`; ``RouteError`` if the hash cannot be sent in an address.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let known = facts(of: request.url)
        guard known.hasHashes != false,
            let call = context.options[GraphQLCall.self], !request.streamsResponse,
            call.kind == .query || request.headers[.idempotencyKey] == nil,
            let whole = GraphQLParameters(request, in: context), let document = whole.query
        else { return try await next.process(request, in: context) }

        var hashed = whole
        hashed.extensions["persistedQuery"] = ["version": 1, "sha256Hash": Json(SHA256.hexadecimal(of: document))]
        let full = hashed
        hashed.query = nil
        let isGET = call.kind == .query && method == .get && known.takesGET != false
        let response = try await next.process(
            isGET ? hashed.asQuery(of: request) : hashed.asBody(of: request),
            in: context
        )
        var endpoint = response.endpoint(of: request)
        switch HashRefusal(in: response, of: call.kind) {
        case .notSupported: break
        case .notFound:
            context.note("the server does not know the persisted query")
            recordHashes(byGET: isGET, of: endpoint)
            let response = try await next.process(full.asBody(of: request), in: context)
            guard HashRefusal(in: response, of: call.kind) == .notSupported else { return response }
            endpoint = response.endpoint(of: request)
        case nil:
            // An address that is too long for the server says nothing about other operations, whose addresses may be
            // shorter.
            let isTooLong = isGET && response.status == 414
            let facts = facts(of: endpoint)
            let takesHash = (isGET ? facts.takesGET : facts.hasHashes) == true
            guard !takesHash || isTooLong else { return response }
            if response.isOfExecution {
                recordHashes(byGET: isGET, of: endpoint)
                return response
            }
            guard response.mayMeanMissingDocument(of: call.kind, byGET: isGET) else { return response }
            context.note("status \(response.status), sent again with the document")
            let second = try await next.process(whole.asBody(of: request), in: context)
            // The query is not compared, because the address of a GET has the parameters in it.
            let isSame = second.endpoint(of: request).addressWithoutQuery == endpoint.addressWithoutQuery
            if !isTooLong, second.isOfExecution, isSame {
                noteRefusal(ofGET: isGET, by: endpoint, in: context)
            }
            return second
        }
        noteRefusal(ofGET: false, by: endpoint, in: context)
        return try await next.process(whole.asBody(of: request), in: context)
    }

    private func facts(of endpoint: URL) -> Server {
        servers.withLock { $0[endpoint.addressWithoutQuery] } ?? Server()
    }

    private func recordHashes(byGET isGET: Bool, of endpoint: URL) {
        record(\.hasHashes, true, of: endpoint)
        if isGET { record(\.takesGET, true, of: endpoint) }
    }

    private func noteRefusal(ofGET isGET: Bool, by endpoint: URL, in context: CallContext) {
        context.note(isGET ? "the server takes no hashes by GET" : "the server has no persisted queries")
        record(isGET ? \.takesGET : \.hasHashes, false, of: endpoint)
    }

    private func record(_ fact: WritableKeyPath<Server, Bool?>, _ value: Bool, of endpoint: URL) {
        let address = endpoint.addressWithoutQuery
        servers.withLock { servers in
            // A removed endpoint is treated like a new endpoint: the middleware detects again what the endpoint
            // supports.
            if servers[address] == nil, servers.count >= Self.maximumServers, let other = servers.keys.first {
                servers[other] = nil
            }
            servers[address, default: Server()][keyPath: fact] = value
        }
    }

    /// The reasons for which a server refuses a hash.
    private enum HashRefusal {
        /// The server does not have the document of the hash. The server stores the document when a request has both
        /// the document and the hash.
        case notFound
        /// The server takes no hashes.
        case notSupported

        /// Reads the code in the error's extensions, or the message of servers without codes. A response with data is
        /// not a refusal, because the operation was executed.
        ///
        /// A query may be sent again after any other response with a refusal. A mutation may not if an error has the
        /// path of a field, because the mutation was then executed. A `data` that is `null` does not prove an execution
        /// if all errors are refusals, because some servers write it in every response with errors.
        init?(in response: HTTPResponse, of kind: GraphQLOperationKind) {
            guard response.mediaType?.isJson == true, response.body.range(of: Self.mark(of: response)) != nil,
                let json = try? Json(parsing: response.body), json["data"]?.isNull != false
            else { return nil }
            let refusals = GraphQLError.list(in: json).map(Self.init(of:))
            let areAll = refusals.allSatisfy { $0 != nil }
            let isUnexecuted = !json.hasErrorsOfFields && (json["data"] == nil || areAll)
            guard kind == .query || isUnexecuted, let first = refusals.lazy.compactMap(\.self).first else { return nil }
            self = first
        }

        private init?(of error: GraphQLError) {
            switch (error.code, error.message) {
            case ("PERSISTED_QUERY_NOT_FOUND", _), (_, "PersistedQueryNotFound"): self = .notFound
            case ("PERSISTED_QUERY_NOT_SUPPORTED", _), (_, "PersistedQueryNotSupported"): self = .notSupported
            default: return nil
            }
        }

        /// The bytes that every refusal contains. They are searched for first, so that other bodies are not parsed.
        private static func mark(of response: HTTPResponse) -> Data {
            let constant = Data("PERSISTED_QUERY_NOT".utf8)
            return response.body.range(of: constant) != nil ? constant : Data("PersistedQueryNot".utf8)
        }
    }
}

extension HTTPResponse {
    private var json: Json? { try? Json(parsing: body) }

    /// Whether the response shows that the operation was executed: it has a 2xx status, and data or an error with the
    /// path of a field.
    fileprivate var isOfExecution: Bool {
        guard status.isSuccess, let json else { return false }
        return json["data"]?.isNull == false || GraphQLError.list(in: json).contains { $0.path != nil }
    }

    /// Whether the response proves that the operation was not executed: it has errors, none of them of a field, and no
    /// member `data` (GraphQL §7.1).
    private var isOfNoExecution: Bool {
        guard let json, json["data"] == nil else { return false }
        return !GraphQLError.list(in: json).isEmpty && !json.hasErrorsOfFields
    }

    /// Whether the status can mean that the server has no document for the hash, and it is safe to send the document.
    /// Other statuses have other reasons, such as missing credentials, a limit, or a fault of the server.
    fileprivate func mayMeanMissingDocument(of kind: GraphQLOperationKind, byGET isGET: Bool) -> Bool {
        switch status.code {
        case 404, 414: isGET
        case 401, 403, 407, 408, 410, 413, 421, 425, 429, 431, 451: false
        case 200..<300, 400..<500, 501: kind == .query || isOfNoExecution
        // The missing document may be the reason for a 500. But a mutation may also have been executed before the
        // fault.
        case 500: kind == .query && isOfNoExecution
        default: false
        }
    }

    /// The endpoint that has responded: the endpoint of the request, or another endpoint that a ``Failover`` inside has
    /// chosen.
    fileprivate func endpoint(of request: HTTPRequest) -> URL {
        addressBeforeFailover == nil ? request.url : url ?? request.url
    }
}

extension Json {
    /// Whether an error of a GraphQL response has a path. A path of a wrong type counts, too.
    fileprivate var hasErrorsOfFields: Bool {
        guard let errors = self["errors"] else { return false }
        return errors["path"]?.isNull == false || errors.elements.contains { $0["path"]?.isNull == false }
    }
}

extension URL {
    fileprivate var addressWithoutQuery: String { "\(scheme?.lowercased() ?? "")://\(hostAndPort)\(path())" }
}

extension Middleware where Self == PersistedQueries {
    /// Sends the hash of an operation's document instead of the document.
    ///
    /// Each use makes a separate middleware. It detects separately whether the server supports persisted queries.
    public static var persistedQueries: PersistedQueries { PersistedQueries() }
}

extension PersistedQueries: Redacted {}
