/// A node that consists of other nodes and prints as their names.
protocol NodeDescribing: Redacted {
    /// The names of the nodes inside, in the order in which they run.
    var stageNames: [String] { get }
    /// Whether the transport inside streams responses; `nil` if that is unknown.
    var streamsResponses: Bool? { get }
    /// Whether a middleware inside can return stored responses, if the policy of the call allows it.
    var hasStore: Bool { get }
    /// The current users of the middlewares inside that send requests for a user.
    var userMarks: Set<UserMark> { get }
}

/// A middleware that can return a stored response without a request, if the call's policy allows it.
protocol UsesStoredResponses {}

extension NodeDescribing {
    var streamsResponses: Bool? { nil }

    var hasStore: Bool { false }

    var userMarks: Set<UserMark> { [] }

    /// The names of the nodes on one line, joined by arrows.
    public var description: String { stageNames.joined(separator: " → ") }
}

/// Returns the names of a node for the description of its chain: the names of the nodes inside it. A node without nodes
/// inside has one name, its own description or its type.
func names(of node: some Node) -> [String] {
    switch node {
    case let composed as any NodeDescribing: composed.stageNames
    case let described as any CustomStringConvertible: [described.description]
    default: [typeName(type(of: node))]
    }
}

/// Returns whether the transport inside a node streams responses, or `nil` if that is unknown.
func streamsResponses(of node: some Node) -> Bool? {
    switch node {
    case let composed as any NodeDescribing: composed.streamsResponses
    case let transport as any Transport: transport.streamsResponses
    default: nil
    }
}

/// Returns whether a middleware inside a node uses stored responses, or `false` if that is unknown.
func hasStore(_ node: some Node) -> Bool { (node as? any NodeDescribing)?.hasStore ?? false }

/// Returns the users of the middlewares inside a node. Middlewares that a closure calls are not visible and have no
/// users here.
func userMarks(of node: some Node) -> Set<UserMark> { (node as? any NodeDescribing)?.userMarks ?? [] }

/// The properties that ``NodeDescribing`` requires, for a node with an erased type. Each value is computed when it is
/// read.
@usableFromInline
struct NodeFacts {
    private let node: (any Node)?
    private let ownNames: [String]

    @usableFromInline
    init(_ stageNames: [String]) {
        node = nil
        ownNames = stageNames
    }

    @usableFromInline
    init(of node: some Node) {
        self.node = node
        ownNames = []
    }

    var stageNames: [String] { node.map { names(of: $0) } ?? ownNames }

    var streamsResponses: Bool? { node.flatMap { Bilayer.streamsResponses(of: $0) } }

    var hasStore: Bool { node.map { Bilayer.hasStore($0) } ?? false }

    var userMarks: Set<UserMark> { node.map { Bilayer.userMarks(of: $0) } ?? [] }
}
