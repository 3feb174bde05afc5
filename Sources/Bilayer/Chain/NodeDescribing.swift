/// A node that consists of other nodes and prints as their names.
protocol NodeDescribing: Redacted {
    /// The names of the stages inside, in the order of the flow.
    var stageNames: [String] { get }
    /// Whether the transport inside streams responses, `nil` if there is none that says it.
    var streamsResponses: Bool? { get }
    /// Whether a middleware inside uses stored responses, by the policy of the call.
    var hasStore: Bool { get }
}

/// A middleware that can return a stored response without a request, if the policy of the call says so.
protocol UsesStoredResponses {}

extension NodeDescribing {
    var streamsResponses: Bool? { nil }

    var hasStore: Bool { false }

    /// The stages on one flat line, joined by arrows.
    public var description: String { stageNames.joined(separator: " → ") }
}

/// The names that a node contributes to its chain's line: its own description if it has one, else its type.
func names(of node: some Node) -> [String] {
    switch node {
    case let composed as any NodeDescribing: composed.stageNames
    case let described as any CustomStringConvertible: [described.description]
    default: [typeName(type(of: node))]
    }
}

/// Whether a node streams responses: what the transport inside says, `nil` if there is none that says it.
func streamsResponses(of node: some Node) -> Bool? {
    switch node {
    case let composed as any NodeDescribing: composed.streamsResponses
    case let transport as any Transport: transport.streamsResponses
    default: nil
    }
}

/// Whether a middleware inside of a node uses stored responses; `false` if that is unknown.
func hasStore(_ node: some Node) -> Bool { (node as? any NodeDescribing)?.hasStore ?? false }

/// The requirements of a chain on a node whose type is erased.
@usableFromInline
struct NodeFacts {
    let stageNames: [String]
    let streamsResponses: Bool?
    let hasStore: Bool

    @usableFromInline
    init(_ stageNames: [String]) {
        self.stageNames = stageNames
        streamsResponses = nil
        hasStore = false
    }

    @usableFromInline
    init(of node: some Node) {
        stageNames = names(of: node)
        streamsResponses = Bilayer.streamsResponses(of: node)
        hasStore = Bilayer.hasStore(node)
    }
}
