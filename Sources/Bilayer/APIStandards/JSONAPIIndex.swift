/// Finds the resources of a document by their identities.
struct JSONAPIIndex: Sendable {
    /// A resource object and its path.
    struct Found: Sendable {
        let json: Json
        let path: JsonPath
        let identifier: JSONAPIIdentifier

        init(_ json: Json, at path: JsonPath) throws {
            identifier = try locating(at: path) { try JSONAPIIdentifier(json) }
            self.json = json
            self.path = path
        }
    }

    private var found: [JSONAPIIdentifier: Found] = [:]

    /// - Throws: ``MappingError`` if two resources have the same identity (JSON:API §7.4.1).
    init(_ resources: [Found]) throws {
        for resource in resources where found.updateValue(resource, forKey: resource.identifier) != nil {
            throw MappingError(
                MappingIssue(
                    .invalidValue,
                    path: resource.path,
                    expected: "a resource that the document has only once"
                )
            )
        }
    }

    subscript(identifier: JSONAPIIdentifier) -> Found? { found[identifier] }
}
