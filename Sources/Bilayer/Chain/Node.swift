/// One stage of a chain: takes a value, gives the next one.
///
/// Everything between a call and its result is a node, and so is everything an app adds: a header, an envelope that is
/// unwrapped, a check, a whole transport. Nodes are values; they are joined by ``then(_:)-(Next)``, surrounded by
/// ``wrapped(by:)`` and can be shared, raced and run again.
///
/// Write one as a type when it has a name or settings, or as a closure (``AnyNode``) when it is one line:
///
/// ```swift
/// struct RequireVersion: Node {
///     let version: String
///     func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPRequest {
///         var request = request
///         request.headers["X-API-Version"] = version
///         return request
///     }
/// }
/// let entry = ParseJson().then(MapRaw<UserEntry>())
/// print(entry)                                        // ParseJson → MapRaw<UserEntry>
/// ```
///
/// A node runs where its caller runs. A client's call runs on the concurrent pool as a whole, so its nodes do, too. In
/// a chain that is run by hand mark `process` `@concurrent` when it computes for long, so that it leaves the main
/// thread alone; the built-in stages that parse and map are marked so.
public protocol Node<Input, Output>: Sendable {
    /// What the stage takes.
    associatedtype Input
    /// What the stage gives.
    associatedtype Output

    /// Does the stage's work.
    /// - Parameters:
    ///   - input: The value of the stage before.
    ///   - context: The call that this happens in.
    /// - Returns: The value for the next stage.
    /// - Throws: What ends the call; a pipeline makes a ``CallError`` of it.
    func process(_ input: Input, in context: CallContext) async throws -> Output
}

extension Node {
    /// Does nothing but pin the types at this point of a chain, so that a mismatch is reported here.
    @inlinable
    public func checkpoint(_ input: Input.Type, _ output: Output.Type) -> Self { self }

    /// Runs the node in a call of its own.
    @inlinable
    public func process(_ input: Input) async throws -> Output {
        try await process(input, in: CallContext())
    }
}

extension Node where Input == Void {
    /// Runs a node that needs no input.
    @inlinable
    public func process(in context: CallContext = CallContext()) async throws -> Output {
        try await process((), in: context)
    }
}
