/// One step of a chain: takes a value and returns the next value.
///
/// Each step of a call is a node. An app adds nodes for its own steps: a header, the unwrapping of an envelope, a
/// check, a whole transport. Nodes are values. ``then(_:)-(Next)`` joins two nodes, and ``wrapped(by:)`` adds a
/// middleware around a node. Nodes can be shared, raced and run again.
///
/// Write a node as a type if it has a name or settings, or as a closure (``AnyNode``) if it is one line:
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
/// In a module with the feature `NonisolatedNonsendingByDefault`, a part of Xcode's "Approachable Concurrency",
/// `process` runs on its caller's actor. In other modules it runs on the concurrent pool. A client's call runs on the
/// concurrent pool, and so do its nodes. In a chain that is run by hand, mark `process` `@concurrent` if it computes
/// for long, so that it does not block the main thread. The built-in stages that parse and map are marked
/// `@concurrent`.
public protocol Node<Input, Output>: Sendable {
    /// The type of the value that the node takes.
    associatedtype Input
    /// The type of the value that the node returns.
    associatedtype Output

    /// Does the node's work.
    /// - Parameters:
    ///   - input: The value that the previous node returned.
    ///   - context: The call.
    /// - Returns: The value for the next node.
    /// - Throws: An error. It ends the call, unless a middleware around the node handles it. A pipeline wraps it in a
    ///   ``CallError``, unless it is a `CancellationError` or the call was cancelled.
    func process(_ input: Input, in context: CallContext) async throws -> Output
}

extension Node {
    /// States the input and output types of the chain so far, so that the compiler reports a mismatch at this place.
    /// Does nothing at run time.
    @inlinable
    public func checkpoint(_ input: Input.Type, _ output: Output.Type) -> Self { self }

    /// Runs the node in a new call. The pipeline of a client runs with the client's settings. If such a pipeline is
    /// only a part of this node, the call does not get these settings. Then pass the result of
    /// ``Client/context(for:reporter:mapping:)`` to `process(_:in:)` instead.
    /// - Throws: The error of the node.
    public func process(_ input: Input) async throws -> Output {
        try await process(input, in: (self as? any MakesContext)?.makeContext() ?? CallContext())
    }
}

extension Node where Input == Void {
    /// Runs a node that needs no input, in a new call.
    /// - Throws: The error of the node.
    public func process() async throws -> Output { try await process(()) }

    /// Runs a node that needs no input.
    /// - Throws: The error of the node.
    @inlinable
    public func process(in context: CallContext) async throws -> Output {
        try await process((), in: context)
    }
}

/// A node that makes the context of its calls.
protocol MakesContext {
    var makeContext: @Sendable () -> CallContext { get }
}
