/// The node that a middleware around the transport receives as `next`. Each run of it is a separate attempt with a
/// separate request, so a race or a retry does not mix the requests of its attempts.
@usableFromInline
struct Attempting<Inner: Node>: Node {
    private let inner: Inner

    @usableFromInline
    init(_ inner: Inner) {
        self.inner = inner
    }

    /// Whether the inner node takes a request and returns a response.
    @inlinable static var isNeeded: Bool {
        Inner.Input.self == HTTPRequest.self && Inner.Output.self == HTTPResponse.self
    }

    @usableFromInline
    func process(_ input: Inner.Input, in context: CallContext) async throws -> Inner.Output {
        let attempt = context.beginAttempt()
        if let request = input as? HTTPRequest { attempt.context.recordRequest(request) }
        do {
            let output = try await inner.process(input, in: attempt.context)
            guard var response = output as? HTTPResponse else { return output }
            attempt.context.observeExchange(.response(response))
            context.end(attempt, .response(response))
            response.attempt = attempt.identity
            return response as? Inner.Output ?? output
        } catch {
            attempt.context.observeExchange(.failure(error))
            context.end(attempt, .failure(error))
            guard var identified = error as? any Error & AttemptIdentified else { throw error }
            identified.attempt = attempt.identity
            throw identified
        }
    }
}

extension Attempting: NodeDescribing {
    var stageNames: [String] { names(of: inner) }

    var streamsResponses: Bool? { Bilayer.streamsResponses(of: inner) }

    var hasStore: Bool { Bilayer.hasStore(inner) }

    var userMarks: Set<UserMark> { Bilayer.userMarks(of: inner) }

    @usableFromInline var description: String { stageNames.joined(separator: " → ") }

    @usableFromInline var debugDescription: String { description }

    @usableFromInline var customMirror: Mirror { Mirror(self, children: []) }
}
