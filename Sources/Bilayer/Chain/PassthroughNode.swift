/// A node for values of every type, which gives back a value of the type it took.
///
/// Choose it for what is said once for all routes of a client, whatever they answer: count, check, note, mark.
///
/// ```swift
/// struct CountEntries: PassthroughNode {
///     func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
///         if let list = value as? any Collection { context.note("\(list.count) entries") }
///         return value
///     }
/// }
/// client.entry.append(CountEntries())
/// ```
public protocol PassthroughNode: Sendable {
    /// Does the node's work.
    /// - Parameters:
    ///   - value: The value on its way.
    ///   - context: The call.
    /// - Returns: The value to go on with.
    /// - Throws: What ends the call.
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value
}

/// The nodes for values of every type that a client has at one boundary, in the order in which they were added.
public struct PassthroughList: Sendable {
    private var nodes: [any PassthroughNode] = []

    /// Makes an empty list.
    public init() {}

    /// Adds a node as the last one.
    /// - Parameter node: The node.
    public mutating func append(_ node: some PassthroughNode) {
        nodes.append(node)
    }

    var isEmpty: Bool { nodes.isEmpty }

    /// The nodes as one node for values of one type.
    func node<Value: Sendable>(for type: Value.Type) -> AnyNode<Value, Value>? {
        guard let first = nodes.first else { return nil }
        return nodes.dropFirst().reduce(Self.node(first)) { list, next in AnyNode(list.then(Self.node(next))) }
    }

    private static func node<Value: Sendable>(_ node: some PassthroughNode) -> AnyNode<Value, Value> {
        AnyNode(named: typeName(type(of: node))) { value, context in try await node.process(value, in: context) }
    }
}
