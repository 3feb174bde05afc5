extension Node {
    /// Joins two nodes: the output of this node is the input of `next`.
    @inlinable
    public func then<Next: Node>(_ next: Next) -> Then<Self, Next> where Next.Input == Output {
        Then(self, next)
    }

    /// Joins a closure as the next node.
    @inlinable
    public func then<NextOutput>(
        _ next: @escaping @Sendable (Output, CallContext) async throws -> NextOutput
    ) -> Then<Self, AnyNode<Output, NextOutput>> {
        Then(self, AnyNode(next))
    }
}

/// Two nodes, one after the other. Made by ``Node/then(_:)-(Next)``, or by `then(_:)` with a closure.
public struct Then<First: Node, Second: Node>: Node where First.Output == Second.Input {
    @usableFromInline let first: First
    @usableFromInline let second: Second

    @inlinable
    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Runs the first node, then the second with its result.
    /// - Throws: The error of the node that fails.
    @inlinable
    public func process(_ input: First.Input, in context: CallContext) async throws -> Second.Output {
        try await second.process(first.process(input, in: context), in: context)
    }
}

extension Then: NodeDescribing {
    var stageNames: [String] { names(of: first) + names(of: second) }

    var streamsResponses: Bool? { Bilayer.streamsResponses(of: first) ?? Bilayer.streamsResponses(of: second) }

    var hasStore: Bool { Bilayer.hasStore(first) || Bilayer.hasStore(second) }

    var userMarks: Set<UserMark> { Bilayer.userMarks(of: first).union(Bilayer.userMarks(of: second)) }
}
