/// The identity of a JSON:API resource: its type and its id. A relationship refers to a resource by its identity.
public struct JSONAPIIdentifier: Sendable, Hashable {
    /// The type.
    public let type: String
    /// The id, unique among the resources of the type.
    public let id: String

    /// Reads `type` and `id` of an object. The paths of errors begin at the object.
    init(_ json: Json) throws {
        try json.requireObject()
        type = try json.decode("type")
        id = try json.decode("id")
    }
}

extension JSONAPIIdentifier: Redacted {}
