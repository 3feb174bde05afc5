/// The nodes that a client or a route has for one kind of value, such as ``Client/request`` for the requests. They run
/// in the order in which they were added.
///
/// ```swift
/// client.request.append { request, _ in
///     var request = request
///     request.headers[.userAgent] = "App/1"
///     return request
/// }
/// ```
public struct NodeList<Value: Sendable>: Sendable {
    /// The nodes joined to one node; `nil` if the list is empty.
    private(set) var node: AnyNode<Value, Value>?

    /// Makes an empty list.
    public init() {}

    /// Adds a node at the end.
    /// - Parameter next: The node.
    @inlinable
    public mutating func append(_ next: some Node<Value, Value>) {
        append(erased: AnyNode(next))
    }

    /// Adds a closure as the last node.
    /// - Parameter next: The node's work.
    @inlinable
    public mutating func append(_ next: @escaping @Sendable (Value, CallContext) async throws -> Value) {
        append(erased: AnyNode(next))
    }

    /// Returns nodes for a larger value. They run the nodes of this list on one property of the larger value.
    func lifted<Whole: Sendable>(to property: any WritableKeyPath<Whole, Value> & Sendable) -> NodeList<Whole> {
        var list = NodeList<Whole>()
        guard let node else { return list }
        list.node = AnyNode(Lifted(node: node, property: property))
        return list
    }

    var stageNames: [String] { node.map { names(of: $0) } ?? [] }

    @usableFromInline
    mutating func append(erased next: AnyNode<Value, Value>) {
        node = node.map { AnyNode($0.then(next)) } ?? next
    }
}

/// Runs a node on a property of a value.
private struct Lifted<Whole: Sendable, Value: Sendable>: Node, NodeDescribing {
    let node: AnyNode<Value, Value>
    let property: any WritableKeyPath<Whole, Value> & Sendable

    func process(_ whole: Whole, in context: CallContext) async throws -> Whole {
        var whole = whole
        whole[keyPath: property] = try await node.process(whole[keyPath: property], in: context)
        return whole
    }

    var stageNames: [String] { node.stageNames }
}

extension NodeList: Redacted {
    /// The names of the nodes, joined by arrows.
    public var description: String { node?.description ?? "" }
}
