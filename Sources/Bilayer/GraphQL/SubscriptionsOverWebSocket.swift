import Foundation

/// A middleware that sends subscriptions over WebSockets instead of server-sent events. The protocol is
/// `graphql-transport-ws`.
///
/// ```swift
/// var client = client
/// client.transport = AnyNode(client.transport.wrapped(by: SubscriptionsOverWebSocket()))
/// ```
/// Each stream of a subscription opens a separate connection. The app still calls `client.stream(route, as: .graphQL)`.
/// Every other request is passed on. Put this middleware around middlewares that add tokens, so that the opening
/// request has the tokens. The middleware needs a transport that opens WebSockets (``HTTPRequest/opensWebSocket``).
///
/// The payload of `connection_init` and the operation are sent only to the origin of the request, or to another address
/// of a ``Failover``. So a redirect of the opening request to another origin is not followed under any
/// ``RedirectPolicy``: it is returned as the server's response.
///
/// The stream ends after the server's `complete`. It throws a ``CallError`` in the cases below, with this underlying
/// error:
/// - ``GraphQLFailure``: the server sends `error`. With a policy other than ``ElementPolicy/fail``, the stream ends
///   without an error.
/// - ``WebSocketClosedError``: the server closes the connection with a code of 4400 or above, which the protocol
///   defines.
/// - ``StreamFormatError``: the server sends a JSON message whose type the protocol does not define.
/// - ``JsonSyntaxError``: the server sends a message that is not JSON.
///
/// In two other cases the stream can be opened again (``Reconnection``):
/// - The connection is lost, or the server closes it with any other code.
/// - The server does not acknowledge the connection within ``HTTPRequest/timeout``, or 60 seconds by default. The kind
///   of the error is ``TransportError/Kind-swift.struct/timedOut``.
///
/// Messages are received only while the loop over the elements waits for an element. Only then is a `ping` of the
/// server answered. If a server closes connections without a `pong`, the loop must not take long for an element.
public struct SubscriptionsOverWebSocket: Middleware {
    private static let subprotocol = "graphql-transport-ws"
    /// The longest wait for the acknowledgement if the request has no timeout. Transports use 60 seconds, too.
    private static let acknowledgementLimit = Duration.seconds(60)
    private let payload: @Sendable () async throws -> Json?

    /// Makes the middleware.
    /// - Parameter payload: Returns the payload of `connection_init`, for example an access token; `nil` for none.
    public init(connectingWith payload: @escaping @Sendable () async throws -> Json? = { nil }) {
        self.payload = payload
    }

    /// Opens a connection for a subscription that is sent by `POST`. Passes on every other request.
    /// - Returns: The responses as server-sent events. If the server opens no WebSocket, its response as it is.
    /// - Throws: The error of `next`, of the payload closure or of the connection; ``WebSocketClosedError``;
    ///   ``StreamFormatError`` if the server uses another protocol, or if the transport has followed a redirect to
    ///   another origin; ``JsonSyntaxError`` if a message is not JSON; ``TransportError`` if the connection is lost, or
    ///   if the server does not acknowledge it in time; `CancellationError`.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard context.options[GraphQLCall.self]?.kind == .subscription, request.streamsResponse,
            let parameters = GraphQLParameters(request, in: context)
        else { return try await next.process(request, in: context) }
        var opening = request
        opening.method = .get
        opening.body = nil
        opening.opensWebSocket = true
        opening.headers.remove(.contentType)
        opening.headers["Sec-WebSocket-Protocol"] = Self.subprotocol
        let policy = context.options[RedirectPolicy.self] ?? .follow()
        context.watchRequests()
        var response = try await next.process(opening, in: context.with(option: policy.withinOrigin))
        guard let connection = response.webSocket else {
            if response.status.isRedirection {
                context.note("subscription: redirects to another origin are not followed")
            }
            return response
        }
        guard context.isOfWatchedOrigin(response, to: opening) else {
            connection.close(.goingAway, reason: "")
            throw StreamFormatError("found a WebSocket of another origin, expected the origin of the request")
        }
        if let chosen = response.headers["Sec-WebSocket-Protocol"], chosen != Self.subprotocol {
            connection.close(.protocolError, reason: "")
            throw StreamFormatError("found another protocol of the WebSocket, expected \(Self.subprotocol)")
        }
        let responses = SubscriptionResponses(connection)
        let payload = try await payload()
        let limit = request.timeout ?? Self.acknowledgementLimit
        let beginning = await withTimeLimit(limit, of: context.clock) { try await responses.begin(parameters, payload) }
        if case .failure(let error) = beginning.result, beginning.isTimeUp, !Task.isCancelled {
            throw TransportError(
                .timedOut,
                detail: "found no connection_ack within \(limit.formattedSeconds)",
                underlyingError: error is CancellationError ? nil : error
            )
        }
        try beginning.result.get()
        response.webSocket = nil
        response.status = 200
        response.headers[.contentType] = "text/event-stream"
        response.stream = .stream { responses }
        return response
    }
}

extension CallContext {
    /// Whether a response comes from the origin that the watched requests were sent to first, or has no address. The
    /// addresses of a ``Failover`` count as one origin. This is checked, because a transport of the app may ignore the
    /// call's ``RedirectPolicy``.
    fileprivate func isOfWatchedOrigin(_ response: HTTPResponse, to request: HTTPRequest) -> Bool {
        let sent = watchedRequests
        guard let url = response.url else { return true }
        return sent.original(of: url).hasSameOrigin(as: sent.targets.first?.url ?? request.url)
    }
}

/// The responses of one subscription as server-sent events. The connection is closed when this object is deallocated.
private final class SubscriptionResponses: AsyncSequence, Sendable {
    typealias Element = Data

    /// The id of the operation. Each connection has one operation.
    private static let id = "1"
    private let connection: any WebSocketConnection

    init(_ connection: any WebSocketConnection) { self.connection = connection }

    deinit { connection.close(.normalClosure, reason: "") }

    /// Sends `connection_init`, waits for the acknowledgement, and subscribes.
    func begin(_ parameters: GraphQLParameters, _ payload: Json?) async throws {
        var hello: Json = ["type": "connection_init"]
        if let payload { hello["payload"] = payload }
        try await send(hello)
        guard try await receive()["type"] == "connection_ack" else {
            throw StreamFormatError("found another message, expected connection_ack")
        }
        try await send(["id": Json(Self.id), "type": "subscribe", "payload": parameters.json])
    }

    private func send(_ message: Json) async throws {
        try await connection.send(.text(String(decoding: message.serialized(), as: UTF8.self)))
    }

    /// Returns the next message that is not a ping or pong and does not belong to another operation.
    private func receive() async throws -> Json {
        while true {
            let message: Json
            do {
                message = try Json(parsing: try await connection.receive().bytes)
            } catch let closed as WebSocketClosedError {
                if closed.code.rawValue >= 4400 { throw closed }
                throw TransportError(.connectionLost, detail: "\(closed)", underlyingError: closed)
            }
            switch message["type"]?.string {
            case "ping": try await send(["type": "pong"])
            case "pong": continue
            case _ where message["id"] != nil && message["id"] != Json(Self.id): continue
            default: return message
            }
        }
    }

    /// Returns the next message of the server as a server-sent event.
    private func nextEvent() async throws -> Data {
        let message = try await receive()
        switch message["type"]?.string {
        case "next": return event("next", message["payload"] ?? .null)
        case "error": return event("next", ["errors": message["payload"] ?? []]) + event("complete", nil)
        case "complete": return event("complete", nil)
        default: throw StreamFormatError("found a message of an unknown type, expected next, error or complete")
        }
    }

    /// Returns an event with one `data` field. Written JSON has no line breaks, so one field is enough.
    private func event(_ name: String, _ payload: Json?) -> Data {
        let payload = payload?.serialized() ?? Data()
        return Data("event: \(name)\ndata: ".utf8) + payload + Data("\n\n".utf8)
    }

    func makeAsyncIterator() -> Iterator { Iterator(responses: self) }

    struct Iterator: AsyncIteratorProtocol {
        let responses: SubscriptionResponses

        @concurrent
        mutating func next() async throws -> Data? { try await responses.nextEvent() }
    }
}

extension SubscriptionsOverWebSocket: Redacted {}
