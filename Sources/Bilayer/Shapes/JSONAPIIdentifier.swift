/// The identity of a JSON:API resource: its type and its id. Also the linkage of a relationship.
public struct JSONAPIIdentifier: Sendable, Hashable {
    /// The type.
    public let type: String
    /// The id among resources of the type.
    public let id: String

    /// Reads the members of an object; errors are relative to it.
    init(_ json: Json) throws {
        try json.requireObject()
        type = try json.decode("type")
        id = try json.decode("id")
    }
}

extension JSONAPIIdentifier: Redacted {}
