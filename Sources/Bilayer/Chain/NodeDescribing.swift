/// A node that consists of other nodes and prints as their names.
protocol NodeDescribing: Redacted {
    /// The names of the stages inside, in the order of the flow.
    var stageNames: [String] { get }
    /// Whether the transport inside streams responses, `nil` if there is none that says it.
    var streamsResponses: Bool? { get }
}

extension NodeDescribing {
    var streamsResponses: Bool? { nil }

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

/// The requirements of a chain on a node whose type is erased.
@usableFromInline
struct NodeFacts {
    let stageNames: [String]
    let streamsResponses: Bool?

    @usableFromInline
    init(_ stageNames: [String]) {
        self.stageNames = stageNames
        streamsResponses = nil
    }

    @usableFromInline
    init(of node: some Node) {
        stageNames = names(of: node)
        streamsResponses = Bilayer.streamsResponses(of: node)
    }
}
