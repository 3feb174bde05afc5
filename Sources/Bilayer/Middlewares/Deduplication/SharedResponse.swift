import Foundation

/// The outcome of a request that several calls share.
struct SharedResponse: Sendable {
    /// The call that started the request.
    let starter: AttemptIdentity
    private let starterID: UUID
    private let outcome: Result<HTTPResponse, any Error>
    private let sent: HTTPRequest?

    /// Sends the request.
    init(
        of request: HTTPRequest,
        from next: some Node<HTTPRequest, HTTPResponse>,
        in context: CallContext,
        startedBy starter: AttemptIdentity
    ) async {
        self.starter = starter
        do {
            let response = try await next.process(request, in: context)
            context.adoptRequest(of: .response(response))
            outcome = .success(response)
        } catch {
            context.adoptRequest(of: .failure(error))
            // The callers of the request are not cancelled, so none of them gets a `CancellationError`.
            let own = TransportError(.other, detail: "the shared request cancelled itself")
            outcome = .failure(error is CancellationError ? own : error)
        }
        sent = context.sentRequest
        starterID = context.id
    }

    /// Returns the response for one of the calls. Each call except the first also gets a note of the outcome. The first
    /// call needs no note, because it has the events of the request.
    func result(for context: CallContext, isFirst: Bool) throws -> HTTPResponse {
        if !isFirst { context.note("shared with call \(starterID): \(outcomeText)") }
        // The errors of all calls name the request that was sent.
        if let sent { context.recordRequest(sent) }
        return try outcome.get()
    }

    private var outcomeText: String {
        switch outcome {
        case .success(let response):
            "\(response)" + (response.cacheStatus.map { ", cache: \($0)" } ?? "")
        case .failure(let error): "failed: \(describeForeign(error))"
        }
    }
}
