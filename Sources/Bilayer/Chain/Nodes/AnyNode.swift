/// A node made of a closure, or a type-erased node.
///
/// Choose it for a node of one line, or to store chains of different types in one property:
///
/// ```swift
/// let unwrap = AnyNode<Json, Json> { json, _ in json["data"] ?? json }
/// var transport: AnyNode<HTTPRequest, HTTPResponse> = URLSessionTransport().erased()
/// ```
public struct AnyNode<Input, Output>: Node {
    @usableFromInline let body: @Sendable (Input, CallContext) async throws -> Output
    @usableFromInline let describe: @Sendable () -> NodeFacts

    /// Makes a node from a closure.
    /// - Parameter body: The node's work.
    @inlinable
    public init(_ body: @escaping @Sendable (_ input: Input, _ context: CallContext) async throws -> Output) {
        self.init(named: "AnyNode", body)
    }

    /// Makes a node from a closure and gives it a name.
    /// - Parameters:
    ///   - name: The name that the chain prints.
    ///   - body: The node's work.
    @inlinable
    public init(
        named name: String,
        _ body: @escaping @Sendable (_ input: Input, _ context: CallContext) async throws -> Output
    ) {
        self.body = body
        self.describe = { NodeFacts([name]) }
    }

    /// Erases the type of another node. This initializer makes the closure with the concrete type, so the compiler can
    /// still specialize the chain inside.
    @inlinable
    public init<Wrapped: Node>(_ node: Wrapped) where Wrapped.Input == Input, Wrapped.Output == Output {
        body = { input, context in try await node.process(input, in: context) }
        describe = { NodeFacts(of: node) }
    }

    /// Calls the closure.
    /// - Throws: The error of the closure.
    @inlinable
    public func process(_ input: Input, in context: CallContext) async throws -> Output {
        try await body(input, context)
    }
}

extension AnyNode: NodeDescribing {
    var stageNames: [String] { describe().stageNames }

    /// Whether the transport inside streams responses (``Transport/streamsResponses``); `nil` if that is unknown, as
    /// for a closure.
    public var streamsResponses: Bool? { describe().streamsResponses }

    var hasStore: Bool { describe().hasStore }

    var userMarks: Set<UserMark> { describe().userMarks }
}

extension Node {
    /// Returns this node with its type erased.
    @inlinable
    public func erased() -> AnyNode<Input, Output> { AnyNode(self) }
}
