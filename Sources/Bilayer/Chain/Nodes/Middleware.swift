/// Code around a node: it can run before the node, after it, instead of it, or run it several times.
///
/// Choose a middleware instead of a ``Node`` if the code has to run around other nodes: a retry, a deadline, a cache, a
/// measurement. `next` is a value, so it can be run again, shared, or raced in a task group.
///
/// ```swift
/// struct RepeatUntil<Input: Sendable>: Middleware {
///     let isDone: @Sendable (HTTPResponse) -> Bool
///     func intercept(
///         _ input: Input, in context: CallContext, next: some Node<Input, HTTPResponse>
///     ) async throws -> HTTPResponse {
///         while true {
///             let response = try await next.process(input, in: context)
///             if isDone(response) { return response }
///             try await context.clock.sleep(for: .seconds(1))
///         }
///     }
/// }
/// let patient = transport.wrapped(by: RepeatUntil { $0.status.code != 202 })
/// ```
public protocol Middleware<Input, Output>: Sendable {
    /// The input of the node inside.
    associatedtype Input
    /// The output of the node inside.
    associatedtype Output

    /// Does the work around `next`.
    /// - Parameters:
    ///   - input: The value on its way into the node.
    ///   - context: The call.
    ///   - next: The node inside.
    /// - Returns: The value for the node that follows, usually the result of `next`.
    /// - Throws: An error, usually that of `next`. It ends the call, unless a middleware around this one handles it.
    func intercept(_ input: Input, in context: CallContext, next: some Node<Input, Output>) async throws -> Output
}
