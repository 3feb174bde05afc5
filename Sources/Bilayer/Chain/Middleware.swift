/// Work that goes around a node: before it, after it, instead of it, or several times.
///
/// Choose a middleware over a ``Node`` when the work needs the rest of the chain in its hands: retry, a deadline, a cache, a
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

/// A node with a middleware around it. Made by ``Node/wrapped(by:)``.
public struct Wrapped<Wrapper: Middleware, Inner: Node>: Node
where Wrapper.Input == Inner.Input, Wrapper.Output == Inner.Output {
    @usableFromInline let middleware: Wrapper
    @usableFromInline let inner: Inner

    @inlinable
    init(_ middleware: Wrapper, around inner: Inner) {
        self.middleware = middleware
        self.inner = inner
    }

    /// Hands the input to the middleware, together with the node inside.
    @inlinable
    public func process(_ input: Inner.Input, in context: CallContext) async throws -> Inner.Output {
        guard Attempting<Inner>.isNeeded else {
            return try await middleware.intercept(input, in: context, next: inner)
        }
        return try await middleware.intercept(input, in: context, next: Attempting(inner))
    }
}

extension Wrapped: NodeDescribing {
    var stageNames: [String] {
        let name = (middleware as? any CustomStringConvertible)?.description ?? typeName(Wrapper.self)
        return ["\(name)(\(names(of: inner).joined(separator: " → ")))"]
    }
}
