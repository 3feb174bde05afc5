import Foundation

/// Sends the hash of an operation's document instead of the document: automatic persisted queries.
///
/// ```swift
/// var client = client
/// client.transport = AnyNode(client.transport.wrapped(by: PersistedQueries()))
/// ```
/// If the server does not have the hash, the request is sent once more with the document and the hash. A server without
/// persisted queries gets one hash, and then documents: it says so, or it answers the hash with 400, 405 or 501 and no
/// data, and the document with another status. A mutation is sent with its document after a 400 only if the response
/// says that it was not executed: it has errors and no member `data`. Requests with files, requests for streams and
/// mutations with an `Idempotency-Key`, which belongs to one body, are passed on with their documents.
///
/// With `.get`, a query whose hash the server has is a `GET` with a short address, which caches and content delivery
/// networks keep; then put it around the cache.
///
/// Put it around middlewares that send again or sign: they see each of the two requests.
public struct PersistedQueries: Middleware {
    private let method: HTTPMethod
    private let support = Locked(Support.unknown)

    /// Whether the server has persisted queries, as far as its answers have shown.
    private enum Support { case unknown, present, absent }

    /// Makes the middleware. Copies share whether the server has persisted queries.
    /// - Parameter method: `.get` or `.post` for queries that are sent by their hash. Mutations are sent by `POST`.
    public init(hashesBy method: HTTPMethod = .post) { self.method = method }

    /// Sends the hash, and the document if the server requests it.
    /// - Throws: The error of `next`.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard support.withLock({ $0 != .absent }),
            let call = context.options[GraphQLCall.self], !request.streamsResponse,
            call.kind == .query || request.headers[.idempotencyKey] == nil,
            let whole = GraphQLParameters(request), let document = whole.query
        else { return try await next.process(request, in: context) }

        var hashed = whole
        hashed.extensions["persistedQuery"] = ["version": 1, "sha256Hash": Json(SHA256.hexadecimal(of: document))]
        let full = hashed
        hashed.query = nil
        let isQuery = call.kind == .query && method == .get
        let first = isQuery ? try hashed.asQuery(of: request) : hashed.asBody(of: request)
        let response = try await next.process(first, in: context)
        switch HashRefusal(in: response) {
        case nil where isWithoutHashes(response, of: call, sentBy: first.method):
            context.note("status \(response.status), sent again with the document")
            let second = try await next.process(whole.asBody(of: request), in: context)
            // A server with persisted queries refuses other faults of a request so, with the document, too.
            if !second.asksForDocument { noteAbsence(in: context) }
            return second
        case nil:
            if response.status.isSuccess { support.withLock { $0 = .present } }
            return response
        case .notFound:
            context.note("the server does not know the persisted query")
            support.withLock { $0 = .present }
            let response = try await next.process(full.asBody(of: request), in: context)
            guard HashRefusal(in: response) == .notSupported else { return response }
        case .notSupported: break
        }
        noteAbsence(in: context)
        return try await next.process(whole.asBody(of: request), in: context)
    }

    private func noteAbsence(in context: CallContext) {
        context.note("the server has no persisted queries")
        support.withLock { $0 = .absent }
    }

    /// Whether the answer to a hash can be that of a server without persisted queries, and nothing was executed.
    private func isWithoutHashes(_ response: HTTPResponse, of call: GraphQLCall, sentBy method: HTTPMethod) -> Bool {
        guard response.asksForDocument else { return false }
        // One that has them may have no `GET`.
        if support.withLock({ $0 == .present }), method != .get || response.status == 400 { return false }
        if call.kind != .mutation { return true }
        // GraphQL §7.1: there is no member `data` if the error was raised before the execution.
        guard let json = try? Json(parsing: response.body) else { return false }
        return json["data"] == nil && !GraphQLError.list(in: json).isEmpty
    }

    /// The server's refusal of a hash.
    private enum HashRefusal {
        case notFound, notSupported

        /// By the code of the extensions, or by the words of servers without codes. A response with data, and an error
        /// of a field, are those of an operation that was executed.
        init?(in response: HTTPResponse) {
            guard response.mediaType?.isJson == true, response.body.range(of: Self.mark(of: response)) != nil,
                let json = try? Json(parsing: response.body), json["data"]?.isNull != false
            else { return nil }
            for error in GraphQLError.list(in: json) where error.path == nil {
                switch (error.code, error.message) {
                case ("PERSISTED_QUERY_NOT_FOUND", _), (_, "PersistedQueryNotFound"): self = .notFound
                case ("PERSISTED_QUERY_NOT_SUPPORTED", _), (_, "PersistedQueryNotSupported"): self = .notSupported
                default: continue
                }
                return
            }
            return nil
        }

        /// Looked for before the body is parsed.
        private static func mark(of response: HTTPResponse) -> Data {
            let constant = Data("PERSISTED_QUERY_NOT".utf8)
            return response.body.range(of: constant) != nil ? constant : Data("PersistedQueryNot".utf8)
        }
    }
}

extension HTTPResponse {
    /// Whether the status is one of servers that miss the document, and there is no data.
    fileprivate var asksForDocument: Bool {
        guard ([400, 405, 501] as [HTTPStatus]).contains(status) else { return false }
        return (try? Json(parsing: body))?["data"]?.isNull != false
    }
}

extension Middleware where Self == PersistedQueries {
    /// Sends the hash of an operation's document instead of the document.
    ///
    /// Each use makes a separate middleware, which detects separately what the server supports.
    public static var persistedQueries: PersistedQueries { PersistedQueries() }
}

extension PersistedQueries: Redacted {}
