import Foundation

/// Carries subscriptions over WebSockets, by the protocol `graphql-transport-ws`, instead of server-sent events.
///
/// ```swift
/// var client = client
/// client.transport = AnyNode(client.transport.wrapped(by: SubscriptionsOverWebSocket()))
/// ```
/// Streams of operations of the kind subscription open a connection each; the rest of the client does not change:
/// `client.stream(route, as: .graphQL)`. Every other request is passed on. Put it around middlewares that add tokens:
/// they see the opening request. It needs a transport that opens WebSockets (``HTTPRequest/opensWebSocket``).
///
/// The server's `error` ends the stream with a ``GraphQLFailure``. A close with a code from 4400 on, which the protocol
/// defines, ends it with ``WebSocketClosedError``; every other one is a loss, after which the stream may be opened
/// again. A server that does not acknowledge the connection within ``HTTPRequest/timeout``, or 60 seconds without one,
/// ends it with ``TransportError/Kind-swift.struct/timedOut``.
///
/// Messages are received while the loop over the elements waits for one: the `ping` of a server is answered then. A
/// server that closes the connection without a `pong` needs a loop that takes each element soon.
public struct SubscriptionsOverWebSocket: Middleware {
    private static let subprotocol = "graphql-transport-ws"
    /// As transports wait for the next byte of a request that says nothing about it.
    private static let timeout = Duration.seconds(60)
    private let payload: @Sendable () async throws -> Json?

    /// Makes the middleware.
    /// - Parameter payload: Makes the payload of `connection_init`, an access token for example; `nil` for none.
    public init(connectingWith payload: @escaping @Sendable () async throws -> Json? = { nil }) {
        self.payload = payload
    }

    /// Opens a connection for a subscription by `POST`; others are passed on.
    /// - Returns: The responses as server-sent events; the server's response if it opens no connection.
    /// - Throws: The error of `next`, ``WebSocketClosedError``, ``StreamFormatError`` for another protocol,
    ///   ``TransportError`` without an acknowledgement in time.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        guard context.options[GraphQLCall.self]?.kind == .subscription, request.streamsResponse,
            let parameters = GraphQLParameters(request)
        else { return try await next.process(request, in: context) }
        var opening = request
        opening.method = .get
        opening.body = nil
        opening.opensWebSocket = true
        opening.headers.remove(.contentType)
        opening.headers["Sec-WebSocket-Protocol"] = Self.subprotocol
        var response = try await next.process(opening, in: context)
        guard let connection = response.webSocket else { return response }
        if let chosen = response.headers["Sec-WebSocket-Protocol"], chosen != Self.subprotocol {
            connection.close(.protocolError, reason: "")
            throw StreamFormatError("found another protocol of the WebSocket, expected \(Self.subprotocol)")
        }
        let responses = SubscriptionResponses(connection)
        let payload = try await payload()
        let limit = request.timeout ?? Self.timeout
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

/// The responses of one subscription as server-sent events. The last copy closes the connection.
private final class SubscriptionResponses: AsyncSequence, Sendable {
    typealias Element = Data

    /// The id of the one operation of the connection.
    private static let id = "1"
    private let connection: any WebSocketConnection

    init(_ connection: any WebSocketConnection) { self.connection = connection }

    deinit { connection.close(.normalClosure, reason: "") }

    /// Initializes the connection, waits for the acknowledgement, and subscribes.
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

    /// The next message that is no ping, and of no other operation.
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

    /// The next response as an event.
    private func nextEvent() async throws -> Data {
        let message = try await receive()
        switch message["type"]?.string {
        case "next": return event("next", message["payload"] ?? .null)
        case "error": return event("next", ["errors": message["payload"] ?? []]) + event("complete", nil)
        case "complete": return event("complete", nil)
        default: throw StreamFormatError("found a message of an unknown type, expected next, error or complete")
        }
    }

    /// JSON on one line needs no second `data` field.
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
