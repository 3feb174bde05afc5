import Foundation

/// Splits a body into the responses of a subscription, or of a query with `@defer` or `@stream`. Each element is a
/// whole response.
///
/// The media type of the server's response determines the form of the body: server-sent events (graphql-sse, distinct
/// connections), parts (`multipart/mixed`), or a single response.
struct GraphQLResults: ElementFraming {
    private let maximumBytes: Int
    private var form = Form.undecided
    private var merged = IncrementalResponse()
    private(set) var isOver = false

    private enum Form {
        /// Before the response of a connection has begun. Also while a parser reads bytes, because the enum does not
        /// hold it during that time.
        case undecided
        case events(ServerSentEvents)
        case parts(MultipartMixed)
        /// The bytes of a single response so far.
        case whole(Data)
    }

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    var position: StreamPosition? {
        if case .events(let events) = form { return events.position }
        return nil
    }

    mutating func begin(_ response: HTTPResponse) throws {
        switch response.mediaType?.essence {
        case "text/event-stream":
            // After a reconnection, the earlier parser stays, because it holds the position in the stream.
            if case .events = form { return }
            // Some servers send `event: complete` without a data field.
            form = .events(
                ServerSentEvents(names: nil, lastData: nil, nameWithoutData: "complete", maximumBytes: maximumBytes)
            )
        case "multipart/mixed":
            // RFC 2046 defines no default for the boundary. In incremental delivery the default is a hyphen.
            let boundary = response.mediaType?.parameters["boundary"] ?? "-"
            form = .parts(MultipartMixed(boundary: boundary, maximumBytes: maximumBytes))
        default: form = .whole(Data())
        }
    }

    mutating func append(_ chunk: Data, to elements: inout [StreamedElement]) throws {
        switch form {
        case .undecided: break
        case .events(var events):
            var found: [StreamedElement] = []
            // The enum releases the parser while the parser is changed. So the parser's buffer has one owner and is not
            // copied.
            form = .undecided
            defer { form = .events(events) }
            // Events before one that is too large are complete, so they are delivered before the error.
            let appended = Result { try events.append(chunk, to: &found) }
            for event in found where !isOver {
                if event.event == "complete" { isOver = true } else { try receive(event, &elements) }
            }
            if !isOver { try appended.get() }
            if isOver, merged.isExpectingMore { throw missing("the last piece") }
        case .parts(var parts):
            var found: [Data] = []
            form = .undecided
            defer { form = .parts(parts) }
            let appended = Result { try parts.append(chunk, to: &found) }
            for part in found { try receive(StreamedElement(part), &elements) }
            try appended.get()
            // The stream ends at the last part, because servers may keep the connection open.
            isOver = parts.isOver
            if isOver, merged.isExpectingMore { throw missing("the last piece") }
        case .whole(var body):
            form = .undecided
            guard chunk.count <= maximumBytes - body.count else { throw tooLarge }
            body.append(chunk)
            form = .whole(body)
        }
    }

    private var tooLarge: StreamFormatError {
        StreamFormatError("found a larger response, expected at most \(byteCountText(maximumBytes))")
    }

    private func missing(_ what: String) -> TransportError {
        TransportError(.connectionLost, detail: "found the end of the stream, expected \(what)")
    }

    mutating func finish(_ elements: inout [StreamedElement]) throws {
        switch form {
        case .whole(let body):
            guard !body.isEmpty else { throw StreamFormatError("found an empty body, expected a response") }
            elements.append(StreamedElement(body))
        case .parts(let parts) where !parts.isOver && !isOver:
            throw missing("the last part")
        // Every stream of this form ends with the event `complete` (graphql-sse, distinct connections mode).
        case .events where !isOver:
            throw missing("the event complete")
        case .parts where merged.isExpectingMore: throw missing("the last piece")
        default: break
        }
    }

    mutating func reconnect() {
        merged = IncrementalResponse()
        if case .events(var events) = form {
            events.reconnect()
            form = .events(events)
        } else {
            form = .undecided
        }
    }

    /// Handles a piece of JSON: a response, a response in the `payload` of a subscription's part, or a part of a
    /// response.
    private mutating func receive(_ element: StreamedElement, _ elements: inout [StreamedElement]) throws {
        guard let json = try? Json(parsing: element.body) else {
            // Later pieces belong to the same response, so a lost piece ends the stream.
            if merged.isExpectingMore { throw StreamFormatError("found a piece that is not JSON, expected JSON") }
            elements.append(element)
            return
        }
        var element = element
        if json.kind == .object, json.members.isEmpty { return }  // a heartbeat
        if let payload = json["payload"] {
            // A `null` payload reports an error outside the GraphQL response. Such an error ends the subscription.
            if payload.isNull { throw GraphQLFailure(GraphQLError.list(in: json), in: json) }
            element.body = payload.serialized()
            elements.append(element)
        } else if json["hasNext"] != nil || json["incremental"] != nil || json["completed"] != nil {
            if let response = try merged.receive(json) {
                element.body = response.serialized()
                guard element.body.count <= maximumBytes else { throw tooLarge }
                elements.append(element)
            }
        } else {
            elements.append(element)
        }
    }
}

extension StreamFormat {
    /// The format of a GraphQL subscription, or of a query with `@defer` or `@stream`.
    ///
    /// ```swift
    /// for try await trip in client.stream(.trip("7"), as: .graphQL) { print(trip as Any) }
    /// ```
    /// Each element is a whole response. It is mapped like the response of a single call, with its errors and paths. In
    /// a query with `@defer` or `@stream`, each element contains all parts that have arrived so far. Make the fields
    /// that can arrive later optional.
    ///
    /// The server can send server-sent events (graphql-sse, distinct connections) or a single response. It can also
    /// send `multipart/mixed`, for subscriptions and for incremental delivery. For WebSockets see
    /// ``SubscriptionsOverWebSocket``.
    /// - Parameters:
    ///   - reconnection: When to open a subscription again after its connection was lost.
    ///   - maximumElementBytes: The maximum size of a response, in bytes.
    /// - Returns: The format.
    public static func graphQL(
        reconnecting reconnection: Reconnection = .never,
        maximumElementBytes: Int = maximumElementBytes
    ) -> StreamFormat {
        let forms = "text/event-stream, multipart/mixed;subscriptionSpec=1.0, multipart/mixed;deferSpec=20220824"
        return StreamFormat(
            mediaType: "\(forms), \(GraphQLMediaType.response);q=0.9, application/json;q=0.8",
            content: .utf8,
            reconnection: reconnection
        ) {
            GraphQLResults(maximumBytes: maximumElementBytes)
        }
    }

    /// The format of a GraphQL subscription, or of a query with `@defer` or `@stream`.
    public static var graphQL: StreamFormat { graphQL() }
}
