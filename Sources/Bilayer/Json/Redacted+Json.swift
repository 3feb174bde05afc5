// The descriptions of `Json` and its parts: `dump` shows the JSON, not the bytes around it.

extension Json: CustomReflectable {
    /// A mirror without children: `dump` shows the JSON, not the bytes around it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Json.Elements: Redacted {
    /// The number of elements.
    public var description: String { "\(count) elements" }
}

extension Json.Members: Redacted {
    /// The number of members.
    public var description: String { "\(count) members" }
}
