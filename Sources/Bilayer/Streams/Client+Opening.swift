extension Client {
    /// Makes the call of a route until the head of its response is complete. The body remains a stream, if the
    /// transport streams. A run of the context then begins, and each later run for the body is inside of it
    /// (`CallContext.beginRun()`). The error is reported at the end of the call (``LongCall``).
    /// - Parameters:
    ///   - route: The route to call.
    ///   - mediaType: The media type for `Accept`.
    ///   - context: The call.
    ///   - change: Changes the encoded request before the nodes around the transport receive it. It is called in the
    ///     run that sends the request.
    ///   - check: Checks a response whose status the route accepts. It may throw.
    /// - Returns: The response with its stream.
    /// - Throws: ``CallError``, or `CancellationError`.
    func openStream<Response>(
        of route: Route<Response>,
        accepting mediaType: String?,
        in context: CallContext,
        changing change: @escaping @Sendable (HTTPRequest, CallContext) throws -> HTTPRequest,
        checking check: @escaping @Sendable (HTTPResponse) throws -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let isOpenedAgain = context.openingRequest != nil
        context.discardFailedOpening()
        var opening = context
        opening.opening = OpeningRun(isRepeated: isOpenedAgain)
        let socket = Locked<(any WebSocketConnection)?>(nil)
        // Later openings have a run of their own, which alone knows the request as it was sent.
        let sent = Locked<HTTPRequest?>(nil)
        let pipeline = Pipeline(
            requestEncoding: requestEncoding(of: route, accepting: mediaType)
                .then { [transport] request, context in
                    var request = try change(request, context)
                    if transport.streamsResponses == false, !isOpenedAgain, !request.opensWebSocket {
                        context.note("the transport does not stream: the response comes whole")
                    }
                    request.streamsResponse = true
                    context.recordOpening(request)
                    return request
                },
            transport: transport.then { response, _ in
                socket.withLock { $0 = response.webSocket }
                return response
            },
            rawMapping: self.check(of: route)
                .then { response, context in
                    sent.withLock { $0 = context.sentRequest }
                    try check(response)
                    return response
                },
            dtoConversion: Identity<HTTPResponse>()
        )
        let response: HTTPResponse
        do {
            response =
                if let deadline = context.options[Deadline.self] {
                    try await opening.withinDeadline(deadline.limit) { try await pipeline.process((), in: $0) }
                } else {
                    try await pipeline.process((), in: opening)
                }
        } catch {
            // After a cancel, or a check that failed, nobody else can close the connection.
            socket.withLock { $0 }?.close(.goingAway, reason: "")
            throw error
        }
        _ = context.beginRun()
        if let sent = sent.withLock({ $0 }) { context.recordRequest(sent) }
        // Later errors name this response.
        context.recordReceived(response)
        context.beginChunks()
        if response.stream == nil, !response.body.isEmpty, !isOpenedAgain, streamsResponses != false {
            context.note("the response came whole, not as a stream (\(byteCountText(response.body.count)))")
        }
        return response
    }
}
