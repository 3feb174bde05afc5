/// A resource of a ``JSONAPIDocument``: the DTO of a model.
///
/// The paths of errors begin at the root of the document.
public struct JSONAPIResource: Sendable {
    /// The type and the id.
    public let identifier: JSONAPIIdentifier
    /// The resource object.
    public let json: Json
    private let path: JsonPath
    private let index: JSONAPIIndex
    /// This resource, and the resources whose models are being made and contain its model. They are stored to detect
    /// circular relationships.
    private let trail: [JSONAPIIdentifier]

    init(_ found: JSONAPIIndex.Found, in index: JSONAPIIndex, trail: [JSONAPIIdentifier]) {
        identifier = found.identifier
        json = found.json
        path = found.path
        self.index = index
        self.trail = trail + [found.identifier]
    }

    /// The id.
    public var id: String { identifier.id }

    /// Reads an attribute. If the type is optional, a missing attribute is `nil`.
    /// - Throws: ``MappingError`` if the attribute is missing or has another type.
    public func attribute<Value: RawDecodable>(_ name: String) throws -> Value where Value.Raw == Json {
        try attributes { try $0.decode(path: JsonPath([.key(name)]).description) }
    }

    /// Reads all attributes as one entry.
    /// - Throws: ``MappingError`` if the attributes do not fit the entry.
    public func attributes<Entry: RawDecodable>(as type: Entry.Type = Entry.self) throws -> Entry
    where Entry.Raw == Json {
        try attributes { raw in try locating(at: nil, owner: typeName(Entry.self)) { try Entry.from(raw: raw) } }
    }

    /// Returns the identity of the resource that a to-one relationship refers to; `nil` if the relationship is empty.
    /// - Throws: ``MappingError`` if the relationship is missing, or has another form or type.
    public func linkage(_ relationship: String, of type: String) throws -> JSONAPIIdentifier? {
        try data(of: relationship) { data in data.isNull ? nil : try link(data, of: type) }
    }

    /// Returns the identities of the resources that a to-many relationship refers to.
    /// - Throws: ``MappingError`` if the relationship is missing, or has another form or type.
    public func linkages(_ relationship: String, of type: String) throws -> [JSONAPIIdentifier] {
        try data(of: relationship) { data in
            try data.requireArray()
            return try data.elements.enumerated()
                .map { index, element in
                    try locating(at: .index(index)) { try link(element, of: type) }
                }
        }
    }

    /// Returns the model of the resource that a to-one relationship refers to; `nil` if the relationship is empty.
    /// - Parameters:
    ///   - relationship: The name of the relationship.
    ///   - type: The JSON:API type of the resource.
    /// - Returns: The model.
    /// - Throws: ``MappingError`` in the cases of ``linkage(_:of:)``, if the document does not include the resource, or
    ///   if the relationships form a circle. Read a relationship that leads back to the parent with ``linkage(_:of:)``
    ///   instead. Also throws the errors of the model.
    public func one<Model: DTODecodable>(_ relationship: String, of type: String) throws -> Model?
    where Model.DTO == JSONAPIResource {
        guard let link = try linkage(relationship, of: type) else { return nil }
        return try resolved(link, at: relationshipPath(relationship)).model(of: type)
    }

    /// Returns the models of the resources that a to-many relationship refers to.
    /// - Throws: ``MappingError`` in the cases of ``linkages(_:of:)``. For each resource, the errors of ``one(_:of:)``.
    ///   Under a policy such as ``MappingPolicy/salvaging``, a resource that fails is left out instead.
    public func many<Model: DTODecodable>(_ relationship: String, of type: String) throws -> [Model]
    where Model.DTO == JSONAPIResource {
        let path = relationshipPath(relationship)
        return try Array(linkages(relationship, of: type).enumerated())
            .mapDocumentElements(at: path) { index, link in
                try resolved(link, at: path.appending(.index(index))).model(of: type)
            }
    }

    /// Makes the model from this resource.
    func model<Model: DTODecodable>(of type: String) throws -> Model where Model.DTO == JSONAPIResource {
        guard identifier.type == type else {
            throw MappingError(
                MappingIssue(
                    .invalidValue,
                    path: path.appending(.key("type")),
                    expected: "the type \(type)",
                    found: json["type"]?.found
                )
            )
        }
        func prefix(_ issue: inout MappingIssue) { if !issue.localPath.isInDocument { issue.prefix(by: path) } }
        let log = IssueLog.current
        let mark = log?.mark ?? .start
        defer { if let log, log.hasAdditions(since: mark) { log.rewrite(since: mark, prefix) } }
        do {
            return try Model.converted(from: self)
        } catch let error as MappingError {
            throw error.updatingIssues(prefix)
        }
    }

    private func attributes<Value>(_ read: (Json) throws -> Value) throws -> Value {
        let attributes = json["attributes"] ?? [:]
        return try locating(at: path.appending(.key("attributes")), of: attributes) {
            try attributes.requireObject()
            return try read(attributes)
        }
    }

    private func data<Value>(of relationship: String, _ read: (Json) throws -> Value) throws -> Value {
        let data: Json = try locating(at: path) {
            try json.decode(path: JsonPath([.key("relationships"), .key(relationship), .key("data")]).description)
        }
        return try locating(at: relationshipPath(relationship)) { try read(data) }
    }

    private func relationshipPath(_ name: String) -> JsonPath {
        JsonPath(path.components + [.key("relationships"), .key(name), .key("data")])
    }

    private func link(_ json: Json, of type: String) throws -> JSONAPIIdentifier {
        let link = try JSONAPIIdentifier(json)
        guard link.type == type else {
            throw MappingError(
                MappingIssue(
                    .invalidValue,
                    path: JsonPath([.key("type")]),
                    expected: "the type \(type)",
                    found: json["type"]?.found
                )
            )
        }
        return link
    }

    private func resolved(_ link: JSONAPIIdentifier, at path: JsonPath) throws -> JSONAPIResource {
        guard let found = index[link] else {
            throw MappingError(MappingIssue(.missing, path: path, expected: "a resource that the document includes"))
        }
        guard !trail.contains(link) else {
            throw MappingError(
                MappingIssue(
                    .invalidValue,
                    path: path,
                    expected: "a resource that does not contain this one",
                    detail: "found relationships that form a circle"
                )
            )
        }
        return JSONAPIResource(found, in: index, trail: trail)
    }
}

extension Array {
    /// Maps the elements of a list according to the policy of the call. The paths of errors and issues begin at the
    /// root of the document.
    func mapDocumentElements<Value>(at path: JsonPath, _ transform: (Element) throws -> Value) throws -> [Value] {
        try mapElements(visitor: ElementVisitor(IssueLog.current, salvages: false, base: { path }), transform)
    }
}

extension JsonPath {
    /// Whether the path begins at the document's root. Otherwise it begins in a model, and needs the resource's path as
    /// prefix.
    fileprivate var isInDocument: Bool {
        guard components.count > 1 else { return components.first == .key("data") }
        switch (components[0], components[1]) {
        case (.key("included"), .index), (.key("data"), .index), (.key("data"), .key("attributes")),
            (.key("data"), .key("relationships")), (.key("data"), .key("type")):
            return true
        default: return false
        }
    }
}

extension JSONAPIResource: Redacted {}
