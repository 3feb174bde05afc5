// The descriptions of chains are the names of their nodes, those of calls their routes. Nodes can hold credentials.

extension CallContext: Redacted {
    /// The route's name and the call's id.
    public var description: String { "\(route?.name ?? "call") \(id)" }
}

extension CallEvent: Redacted {
    /// For example `0.012 s took 11 ms`.
    public var description: String { "\(time.formattedSeconds) \(text)" }
}

extension NodeList: Redacted {
    /// The names of the nodes, joined by arrows.
    public var description: String { node?.description ?? "" }
}

extension PassthroughList: Redacted {
    /// The names of the nodes, joined by arrows.
    public var description: String { stageNames.joined(separator: " → ") }
}
