import Foundation

/// Sends the hash of an operation's document instead of the document: automatic persisted queries.
///
/// ```swift
/// var client = client
/// client.transport = AnyNode(client.transport.wrapped(by: PersistedQueries()))
/// ```
/// If the server does not have the hash, the request is sent once more with the document and the hash. A server without
/// persisted queries gets one hash, and then documents. Requests with files, requests for streams and mutations with an
/// `Idempotency-Key`, which belongs to one body, are passed on with their documents.
///
/// With `.get`, a query whose hash the server has is a `GET` with a short address, which caches and content delivery
/// networks keep; then put it around the cache.
///
/// Put it around middlewares that send again or sign: they see each of the two requests.
public struct PersistedQueries: Middleware {
    private let method: HTTPMethod
    private let isSupported = Locked(true)

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
        guard let call = context.options[GraphQLCall.self], !request.streamsResponse, isSupported.withLock({ $0 }),
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
        switch Refusal(in: response) {
        case nil: return response
        case .notFound:
            context.note("the server does not know the persisted query")
            let response = try await next.process(full.asBody(of: request), in: context)
            guard Refusal(in: response) == .notSupported else { return response }
        case .notSupported: break
        }
        context.note("the server has no persisted queries")
        isSupported.withLock { $0 = false }
        return try await next.process(whole.asBody(of: request), in: context)
    }

    /// The server's refusal of a hash.
    private enum Refusal {
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

extension Middleware where Self == PersistedQueries {
    /// Sends the hash of an operation's document instead of the document.
    ///
    /// Each use makes a separate middleware, which detects separately what the server supports.
    public static var persistedQueries: PersistedQueries { PersistedQueries() }
}

extension PersistedQueries: Redacted {}
