/// The outcome of a request that several calls share, with what their errors and logs contain of it.
struct SharedResponse: Sendable {
    /// The call that started the request.
    let starter: AttemptIdentity
    private let outcome: Result<HTTPResponse, any Error>
    private let sent: HTTPRequest?
    private let notes: [String]

    /// Sends the request.
    init(
        of request: HTTPRequest,
        from next: some Node<HTTPRequest, HTTPResponse>,
        in context: CallContext,
        startedBy starter: AttemptIdentity
    ) async {
        self.starter = starter
        do {
            outcome = .success(try await next.process(request, in: context))
        } catch {
            // Its callers are not cancelled, so none of them gets a `CancellationError`.
            let own = TransportError(.other, detail: "the shared request cancelled itself")
            outcome = .failure(error is CancellationError ? own : error)
        }
        if case .failure(let error) = outcome { context.settle(on: error) }
        sent = context.sentRequest
        notes = context.events.map(\.text)
    }

    /// The response for one of the calls: its notes and its request are those of the shared request.
    func result(for context: CallContext, isFirst: Bool) throws -> HTTPResponse {
        if !isFirst { context.note("shared the response of an equal request") }
        for note in notes { context.note(note) }
        // Only the call that started the request has sent it; the others have its request for their errors.
        if let sent { isFirst ? context.recordSent(sent) : context.recordRequest(sent) }
        return try outcome.get()
    }
}
