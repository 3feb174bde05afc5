/// A node that consists of other nodes and prints as their names.
protocol NodeDescribing: Redacted {
    /// The names of the stages inside, in the order of the flow.
    var stageNames: [String] { get }
}

extension NodeDescribing {
    /// The stages on one flat line, joined by arrows.
    public var description: String { stageNames.joined(separator: " → ") }
}

/// The names that a node contributes to its chain's line: its own description if it has one, else its type.
@usableFromInline
func names(of node: some Node) -> [String] {
    switch node {
    case let composed as any NodeDescribing: composed.stageNames
    case let described as any CustomStringConvertible: [described.description]
    default: [typeName(type(of: node))]
    }
}
