import Foundation

/// A middleware that joins operations sent at nearly the same time into one request: an array of operations.
///
/// ```swift
/// var client = client
/// client.transport = AnyNode(client.transport.wrapped(by: OperationBatching(window: .milliseconds(10))))
/// async let trip = client.fetch(.trip("7"))
/// async let other = client.fetch(.trip("8"))
/// ```
/// Requests are joined only if they have the same address, header fields, time limit and call options (``CallOption``).
/// They must also be sent for the same user of an ``Authentication`` (see ``BearerTokens/replace(with:)``), a
/// ``BasicAuthentication`` or a ``Signing`` inside this middleware.
///
/// Fields that a ``HeaderProvider`` or a node of the app adds inside this middleware are not compared. So put a node
/// that adds a user's session or key outside this middleware.
///
/// Each call receives its own element of the array as a response, with the status and header fields of the whole
/// response. It is unknown to which calls data belongs if the server returns one object with data, or an array with more
/// or fewer responses than were requested. Every call then fails if the status is 2xx. Otherwise every call receives
/// the response, without its body if that has data. Anything else, such as one object with errors, is the response of
/// every call. A cancelled call leaves its batch. When the last call leaves, the request is cancelled.
///
/// Use it with servers that accept arrays, and where each request is expensive. Over HTTP/2 it seldom helps, because
/// the slowest operation delays all others.
///
/// The first call of a batch receives the events of the joined request, as in ``Deduplication``.
///
/// Mutations, streams, operations with files, compressed operations, and operations sent by `GET` are passed on alone.
/// If ``PersistedQueries`` is around this middleware, hashes that it sends by `POST` are joined, too. If it is inside
/// this middleware, it passes on joined operations with their whole documents, because an array is no operation.
public struct OperationBatching: Middleware {
    /// The batches by the identity that joined requests share. An entry exists while calls wait for its batches.
    private let batches = Locked<[RequestIdentity: Batches]>([:])
    private let make: @Sendable () -> BatchLoader<Waiting, HTTPResponse>

    /// Makes the middleware. Copies share their batches.
    /// - Parameters:
    ///   - window: How long a batch waits for further operations.
    ///   - most: The maximum number of operations in a batch, at least one.
    ///   - clock: The clock that measures the window.
    public init(
        window: Duration = .milliseconds(10),
        atMost most: Int = 10,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        make = { BatchLoader(window: window, atMost: most, clock: clock, results: Self.send) }
    }

    /// Sends the operation with others, or alone.
    /// - Throws: The error of `next`; ``BatchMissError`` if the batch has no response for this operation;
    ///   ``AuthenticationError`` in the refresh of a token that the operation needs; `CancellationError`.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard context.options[GraphQLCall.self]?.kind == .query, request.method == .post, !request.streamsResponse,
            let operation = GraphQLParameters(request, in: context)
        else { return try await next.process(request, in: context) }
        let sent = Locked<HTTPRequest?>(nil)
        // Records the single operation again, so that an error shows it and not the batch. Its address and its fields
        // are those with which the batch was sent.
        defer {
            var shown = sent.withLock { $0 } ?? request
            if shown.method == request.method { shown.body = request.body }
            context.recordRequest(shown)
        }
        let users = context.users(of: next)
        try context.checkWait(for: users, by: request)
        let identity = Self.identity(of: request, for: users, in: context)
        let loader = join(identity)
        defer { leave(identity) }
        return try await context.sharing { inner in
            let waiting = Waiting(request: request, operation: operation.json) {
                context.note("sent in a batch")
            } record: { request in
                sent.withLock { $0 = request }
            } send: { request in
                do {
                    return (.success(try await next.process(request, in: inner)), inner.sentRequest)
                } catch {
                    return (.failure(error), inner.sentRequest)
                }
            }
            return try await loader.value(for: waiting)
        }
    }

    /// Returns the identity of a request without its operation. Requests with equal identities can be joined.
    private static func identity(
        of request: HTTPRequest,
        for users: Set<UserMark>,
        in context: CallContext
    ) -> RequestIdentity {
        var (request, options) = (request, context.options)
        request.body = nil
        options[GraphQLCall.self] = nil
        return RequestIdentity(request, of: users, options: options, in: context)
    }

    /// Returns the batches of requests with this identity. Requests with another identity have other batches, so that
    /// they do not wait for each other's responses.
    private func join(_ identity: RequestIdentity) -> BatchLoader<Waiting, HTTPResponse> {
        batches.withLock { batches in
            var joined = batches[identity] ?? Batches(loader: make())
            joined.calls += 1
            batches[identity] = joined
            return joined.loader
        }
    }

    /// Removes the batches when no call waits for them any more.
    private func leave(_ identity: RequestIdentity) {
        batches.withLock { batches in
            batches[identity]?.calls -= 1
            if batches[identity]?.calls == 0 { batches[identity] = nil }
        }
    }

    /// Sends one request for all operations of a batch.
    @Sendable
    private static func send(_ group: [Waiting]) async -> [Waiting: Result<HTTPResponse, any Error>] {
        guard let first = group.first else { return [:] }
        func all(_ result: Result<HTTPResponse, any Error>) -> [Waiting: Result<HTTPResponse, any Error>] {
            Dictionary(uniqueKeysWithValues: group.map { ($0, result) })
        }
        do {
            var request = first.request
            if group.count > 1 {
                for waiting in group { waiting.note() }
                request.body = .data(Json(group.map(\.operation)).serialized())
            }
            let (result, sent) = await first.send(request)
            if let sent { for waiting in group { waiting.record(sent) } }
            let response = try result.get()
            guard group.count > 1 else { return all(result) }
            let list = try? Json(parsing: response.body)
            // Used if the body does not say which call it belongs to. The status of an error is still that of every
            // call, so that the token is refreshed, or the request repeated. No call gets another call's data.
            func unassigned(_ list: Json) -> [Waiting: Result<HTTPResponse, any Error>] {
                if response.status.isSuccess { return [:] }
                guard ([list] + list.elements).contains(where: \.hasData) else { return all(.success(response)) }
                var head = response
                head.body = Data()
                head.headers[.contentLength] = nil
                return all(.success(head))
            }
            guard let list, list.kind == .array else {
                // An object is an error for the whole batch, so each call receives it as its response. An object with
                // data belongs to one call.
                return list.flatMap { $0.hasData ? unassigned($0) : nil } ?? all(.success(response))
            }
            // The responses have no ids, so it is unknown which response is missing.
            guard list.elements.count == group.count else { return unassigned(list) }
            let parts = list.elements.map { element in
                var part = response
                part.body = element.serialized()
                return part
            }
            return Dictionary(uniqueKeysWithValues: zip(group, parts.map { .success($0) }))
        } catch {
            return all(.failure(error))
        }
    }

    /// The batches of requests with one identity, and the number of calls that wait for them.
    private struct Batches {
        let loader: BatchLoader<Waiting, HTTPResponse>
        var calls = 0
    }

    /// The number of groups of requests with equal identities that wait for the response of a batch now. For tests.
    var waitingKinds: Int { batches.withLock { $0.count } }

    /// An operation that waits for its batch. Two objects are never equal, so that equal operations are separate.
    private final class Waiting: Hashable, Sendable {
        let request: HTTPRequest
        let operation: Json
        /// Notes in the call that its operation was sent in a batch.
        let note: @Sendable () -> Void
        /// Receives the request as it was sent.
        let record: @Sendable (HTTPRequest) -> Void
        /// Sends a request. Returns also the request as it was sent.
        let send: @Sendable (HTTPRequest) async -> (Result<HTTPResponse, any Error>, HTTPRequest?)

        init(
            request: HTTPRequest,
            operation: Json,
            note: @escaping @Sendable () -> Void,
            record: @escaping @Sendable (HTTPRequest) -> Void,
            send: @escaping @Sendable (HTTPRequest) async -> (Result<HTTPResponse, any Error>, HTTPRequest?)
        ) {
            self.request = request
            self.operation = operation
            self.note = note
            self.record = record
            self.send = send
        }

        static func == (left: Waiting, right: Waiting) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

extension OperationBatching: Redacted {}

extension Json {
    /// Whether the response of a GraphQL operation has data.
    fileprivate var hasData: Bool { self["data"].map { !$0.isNull } ?? false }
}
