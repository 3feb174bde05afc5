/// A middleware that sends the field `traceparent` with each attempt, so that a server's traces name the caller.
///
/// The call's option ``TraceParent`` determines the trace. Without the option, each attempt begins a new trace. Each
/// attempt has its own span id, which is recorded in the call's events. Wrap the transport in this middleware before a
/// ``Retry``, so that it runs on every attempt.
public struct TracePropagation: Middleware {
    private let random: @Sendable () -> UInt64

    /// Makes the middleware.
    /// - Parameter random: Random numbers for the ids.
    public init(random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }) { self.random = random }

    /// Adds the field and runs the node inside.
    /// - Throws: The errors of the nodes inside.
    public func intercept(
        _ request: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let trace = (context.options[TraceParent.self] ?? TraceParent(random: random)).child(random: random)
        var request = request
        request.headers["traceparent"] = trace.fieldValue
        context.note("trace \(trace)")
        return try await next.process(request, in: context)
    }
}

extension Middleware where Self == TracePropagation {
    /// Sends the field `traceparent` with each attempt.
    public static var tracePropagation: TracePropagation { TracePropagation() }
}

extension TracePropagation: Redacted {}
