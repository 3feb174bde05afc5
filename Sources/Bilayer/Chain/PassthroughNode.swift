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

    var stageNames: [String] { nodes.map { typeName(type(of: $0)) } }

    /// Runs the nodes one after the other.
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
        var value = value
        for node in nodes { value = try await node.process(value, in: context) }
        return value
    }
}
