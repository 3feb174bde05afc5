import Foundation

extension Client {
    /// Opens a WebSocket. A received message is mapped like the response of a call, and a sent message is written like
    /// the body of a request.
    ///
    /// ```swift
    /// struct Watch: Codable, RawMappable, Sendable { let photo: String }
    /// let socket = try await client.webSocket(Route<Photo>.get("photos/live"), sending: Watch.self)
    /// try await socket.send(Watch(photo: "p1"))
    /// for try await photo in socket { print(photo.id) }
    /// ```
    /// The route's response is the type of a received message. Messages are mapped with the policies and conventions of
    /// the route and the client. Received messages also pass their nodes for responses. Only the opening request passes
    /// the request nodes and the middlewares around the transport, for example authentication and retries. Paths in the
    /// errors of received messages begin with the number of the message, from 0: `$[17].price`.
    ///
    /// ``URLSessionTransport`` opens WebSockets on Apple platforms. On Linux, `CurlTransport` does if libcurl is 8.14
    /// or newer and built with WebSockets. Otherwise the ``CallError`` has a ``TransportError`` of the kind
    /// ``TransportError/Kind-swift.struct/unsupported``.
    /// - Parameters:
    ///   - route: The route to call. Its response is the type of a received message. Set subprotocols as the header
    ///     field `Sec-WebSocket-Protocol` of the route.
    ///   - outgoing: The type of a sent entry.
    ///   - policy: How the socket treats a message that cannot be mapped.
    ///   - reconnection: The rule for opening the connection again after a loss.
    ///   - reporter: Receives the issues of messages and the failure of the call, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping is, instead of the route's and the client's policy.
    ///   - greeting: Returns the messages to send after each opening of the connection, such as subscriptions. They are
    ///     sent to the address that redirects have led to. If they have secrets, use
    ///     ``RedirectPolicy/sameOrigin(limit:)``.
    /// - Returns: The open socket.
    /// - Throws: ``CallError``, or `CancellationError`.
    @_disfavoredOverload
    public func webSocket<Incoming, Outgoing: RawEncodable & Sendable>(
        _ route: Route<Incoming>,
        sending outgoing: Outgoing.Type,
        onInvalid policy: ElementPolicy = .fail,
        reconnecting reconnection: Reconnection = .never,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil,
        greeting: @escaping @Sendable () async throws -> [Outgoing] = { [] }
    ) async throws -> WebSocket<Incoming, Outgoing> where Outgoing.Raw: RawBody {
        let makeContext: @Sendable () -> CallContext = { context(for: route, reporter: reporter, mapping: mapping) }
        return try await open(route, route.stages, policy, reconnection, greeting, makeContext) { RouteBody(entry: $0) }
    }

    /// Opens a WebSocket whose sent messages are models.
    /// - Parameters:
    ///   - route: The route to call. Its response is the type of a received message.
    ///   - outgoing: The type of a sent model.
    ///   - policy: How the socket treats a message that cannot be mapped.
    ///   - reconnection: The rule for opening the connection again after a loss.
    ///   - reporter: Receives the issues of messages and the failure of the call, instead of the client's ``reporter``.
    ///   - mapping: How strict the mapping is, instead of the route's and the client's policy.
    ///   - greeting: Returns the messages to send after each opening of the connection, such as subscriptions. They are
    ///     sent to the address that redirects have led to. If they have secrets, use
    ///     ``RedirectPolicy/sameOrigin(limit:)``.
    /// - Returns: The open socket.
    /// - Throws: ``CallError``, or `CancellationError`.
    public func webSocket<Incoming, Outgoing: DTOEncodable & Sendable>(
        _ route: Route<Incoming>,
        sending outgoing: Outgoing.Type,
        onInvalid policy: ElementPolicy = .fail,
        reconnecting reconnection: Reconnection = .never,
        reporter: (any MappingReporter)? = nil,
        mapping: MappingPolicy? = nil,
        greeting: @escaping @Sendable () async throws -> [Outgoing] = { [] }
    ) async throws -> WebSocket<Incoming, Outgoing>
    where Outgoing.DTO: RawEncodable & Sendable, Outgoing.DTO.Raw: RawBody {
        let makeContext: @Sendable () -> CallContext = { context(for: route, reporter: reporter, mapping: mapping) }
        return try await open(route, route.stages, policy, reconnection, greeting, makeContext) { RouteBody(model: $0) }
    }

    /// Opens a socket.
    /// - Throws: ``CallError`` if the first connection cannot be opened, or the greeting cannot be made or sent.
    ///   `CancellationError`.
    private func open<Stages: ResponseStages, Outgoing: Sendable>(
        _ route: Route<Stages.Response>,
        _ stages: Stages,
        _ policy: ElementPolicy,
        _ reconnection: Reconnection,
        _ greeting: @escaping @Sendable () async throws -> [Outgoing],
        _ makeContext: @escaping @Sendable () -> CallContext,
        _ body: @escaping @Sendable (Outgoing) -> RouteBody
    ) async throws -> WebSocket<Stages.Response, Outgoing> {
        let messages = streamSource(
            of: route.openingWebSocket(),
            through: stages,
            as: StreamFormat(mediaType: nil, content: .utf8, reconnection: reconnection) { WholeMessages() },
            policy,
            makeContext: makeContext
        )
        let socket = WebSocket(
            SocketSource(messages: messages, greeting: greeting) { value, context in
                guard let body = try await body(value).node.process((), in: context),
                    let bytes = body.content.data
                else { throw RouteError("found a message that is a stream, expected bytes", in: route.endpoint) }
                let isText = MediaType(body.mediaType).map { $0.isJson || $0.essence.hasPrefix("text/") } ?? false
                return isText ? .text(String(decoding: bytes, as: UTF8.self)) : .data(bytes)
            }
        )
        try await socket.begin()
        return socket
    }
}

extension Route {
    /// Returns a copy of the route that opens a WebSocket. In place of the statuses that the route accepts beyond 2xx,
    /// the copy accepts 101, which the opening response and each message have. A 2xx status passes, too. ``WebSocket``
    /// then throws an error, because the response has no connection.
    fileprivate func openingWebSocket() -> Route {
        var route = self
        route.check.isAccepted = { $0.status == 101 }
        route.request.append(
            AnyNode(named: "OpenWebSocket") { request, _ in
                var request = request
                request.opensWebSocket = true
                return request
            }
        )
        return route
    }
}

/// A framing that returns no elements, because messages arrive whole and need no framing.
private struct WholeMessages: ElementFraming {
    mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) {}
}
