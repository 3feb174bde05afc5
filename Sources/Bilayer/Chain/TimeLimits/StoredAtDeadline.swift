/// The transport of a call with a ``Deadline``. When the time is up, it returns a stored response, if the call's policy
/// allows that.
struct StoredAtDeadline: Node, NodeDescribing {
    let transport: AnyNode<HTTPRequest, HTTPResponse>

    func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
        do {
            return try await transport.process(request, in: context)
        } catch {
            guard let deadline = context.passedDeadline else { throw error }
            let fault = timedOut(Deadline.name, within: deadline.limit, error)
            let stored = await context.storedResponse(insteadOf: fault, to: request, from: transport)
            guard let stored else { throw error }
            return stored
        }
    }

    var stageNames: [String] { transport.stageNames }

    var streamsResponses: Bool? { transport.streamsResponses }

    var hasStore: Bool { transport.hasStore }

    var userMarks: Set<UserMark> { transport.userMarks }
}
