/// A node for values of every type, which returns a value of the type that it takes.
///
/// Choose it for work that is equal for all routes of a client: counts, checks, notes.
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
    ///   - value: The entry or model of the call.
    ///   - context: The call.
    /// - Returns: The value for the next node.
    /// - Throws: The error that ends the call.
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value
}

/// The nodes that a client runs on all entries or on all models, whatever their types (``Client/entry``,
/// ``Client/model``). They run in the order in which they were added.
public struct PassthroughList: Sendable {
    private var nodes: [any PassthroughNode] = []

    /// Makes an empty list.
    public init() {}

    /// Adds a node at the end.
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

extension PassthroughList: Redacted {
    /// The names of the nodes, joined by arrows.
    public var description: String { stageNames.joined(separator: " → ") }
}
