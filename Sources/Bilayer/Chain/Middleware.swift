/// Work that goes around a node: before it, after it, instead of it, or several times.
///
/// Choose a middleware over a ``Node`` when the work needs the rest of the chain in its hands: retry, a deadline, a
/// cache, a measurement. `next` is a value, so it can be run again, shared, or raced in a task group.
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
    /// What the node inside takes.
    associatedtype Input
    /// What the node inside gives.
    associatedtype Output

    /// Does the work around `next`.
    /// - Parameters:
    ///   - input: The value on its way into the node.
    ///   - context: The call that this happens in.
    ///   - next: The node inside.
    /// - Returns: The value to go on with, usually what `next` gave.
    /// - Throws: What ends the call, usually what `next` threw.
    func intercept(_ input: Input, in context: CallContext, next: some Node<Input, Output>) async throws -> Output
}
