/// A resource of a ``JSONAPIDocument``: the DTO of a model.
///
/// Errors of all methods have paths from the document's root.
public struct JSONAPIResource: Sendable {
    /// Type and id.
    public let identifier: JSONAPIIdentifier
    /// The resource object.
    public let json: Json
    private let path: JsonPath
    private let index: JSONAPIIndex
    /// The resources whose models are being made of this one.
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

    /// Reads an attribute; of an optional type, a missing one is `nil`.
    /// - Throws: ``MappingError``.
    public func attribute<Value: RawDecodable>(_ name: String) throws -> Value where Value.Raw == Json {
        try attributes { try $0.decode(path: JsonPath([.key(name)]).description) }
    }

    /// Reads all attributes as an entry.
    /// - Throws: ``MappingError``.
    public func attributes<Entry: RawDecodable>(as type: Entry.Type = Entry.self) throws -> Entry
    where Entry.Raw == Json {
        try attributes { raw in try locating(at: nil, owner: typeName(Entry.self)) { try Entry.from(raw: raw) } }
    }

    /// The linkage of a relationship to one resource; `nil` if there is none.
    /// - Throws: ``MappingError`` if the relationship is missing, or has another form or type.
    public func linkage(_ relationship: String, of type: String) throws -> JSONAPIIdentifier? {
        try data(of: relationship) { data in data.isNull ? nil : try link(data, of: type) }
    }

    /// The linkage of a relationship to many resources.
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

    /// The model of the resource that a relationship refers to; `nil` if it refers to none.
    /// - Parameters:
    ///   - relationship: The name.
    ///   - type: The type of the resource.
    /// - Returns: The model.
    /// - Throws: ``MappingError`` if the document does not include the resource, or if the resource is one whose model
    ///   is being made: for a relationship back, read ``linkage(_:of:)``. The errors of the model.
    public func one<Model: DTODecodable>(_ relationship: String, of type: String) throws -> Model?
    where Model.DTO == JSONAPIResource {
        guard let link = try linkage(relationship, of: type) else { return nil }
        return try resolved(link, at: relationshipPath(relationship)).model(of: type)
    }

    /// The models of the resources that a relationship refers to.
    /// - Throws: ``MappingError``, as ``one(_:of:)``.
    public func many<Model: DTODecodable>(_ relationship: String, of type: String) throws -> [Model]
    where Model.DTO == JSONAPIResource {
        let path = relationshipPath(relationship)
        return try Array(linkages(relationship, of: type).enumerated())
            .mapDocumentElements(at: path) { index, link in
                try resolved(link, at: path.appending(.index(index))).model(of: type)
            }
    }

    /// The model of this resource.
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
        defer { if let log, log.hasIssues(since: mark) { log.rewrite(since: mark, prefix) } }
        do {
            return try Model.converted(from: self)
        } catch let error as MappingError {
            throw error.updatingIssues(prefix)
        }
    }

    private func attributes<Value>(_ read: (Json) throws -> Value) throws -> Value {
        let attributes = json["attributes"] ?? [:]
        return try locating(at: path.appending(.key("attributes"))) {
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
    /// Maps the elements of a list, whose errors and issues have paths from the document on, by the policy of the call.
    func mapDocumentElements<Value>(at path: JsonPath, _ transform: (Element) throws -> Value) throws -> [Value] {
        try mapElements(visitor: ElementVisitor(IssueLog.current, salvages: false, base: { path }), transform)
    }
}

extension JsonPath {
    /// Whether the path is one of a resource from the document's root, not one in a model.
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
