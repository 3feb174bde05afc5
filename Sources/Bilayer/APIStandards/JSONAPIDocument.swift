/// A document of JSON:API 1.1: primary resources, and the included resources that they refer to.
///
/// The models are made from the resources. The resource that a relationship refers to is looked up by type and id among
/// all resources of the document.
///
/// ```swift
/// struct Author: DTODecodable {
///     let name: String
///     static func from(dto: JSONAPIResource) throws -> Author { try Author(name: dto.attribute("name")) }
/// }
/// struct Article: DTODecodable {
///     let title: String
///     let author: Author?
///     static func from(dto: JSONAPIResource) throws -> Article {
///         try Article(title: dto.attribute("title"), author: dto.one("author", of: "people"))
///     }
/// }
/// let route = Route<JSONAPIDocument>.get("articles", query: ["include": "author"])
///     .converting { document in try document.many(Article.self, of: "articles") }
/// ```
/// The paths of errors begin at the root of the document: `$.included[2].attributes.name`. For the member `errors` of a
/// document see ``JSONAPIErrors``.
public struct JSONAPIDocument: Sendable, RawDecodable {
    let primary: [JSONAPIResource]
    /// Whether the primary data is a list.
    public let isList: Bool
    /// Information that the standard does not define.
    public let meta: Json?
    /// The links of the document, for example to the next page or to the document itself.
    public let links: Json?

    /// Reads a document.
    /// - Throws: ``MappingError`` if the document or a resource has another form: there is no `data`, for example, or a
    ///   resource has no type or id. Also if two resources have equal types and ids.
    public static func from(raw: Json) throws -> JSONAPIDocument {
        try raw.requireObject()
        guard let data = raw["data"] else {
            throw MappingError(MappingIssue(.missing, path: JsonPath([.key("data")]), expected: "primary data"))
        }
        let isList = data.kind == .array
        let root: [JsonPath.Component] = [.key("data")]
        var found: [JSONAPIIndex.Found] = []
        if isList {
            for (index, json) in data.elements.enumerated() {
                found.append(try JSONAPIIndex.Found(json, at: JsonPath(root + [.index(index)])))
            }
        } else if !data.isNull {
            found.append(try JSONAPIIndex.Found(data, at: JsonPath(root)))
        }
        var included: [JSONAPIIndex.Found] = []
        if let list = raw["included"], !list.isNull {
            try locating(at: .key("included")) { try list.requireArray() }
            for (index, json) in list.elements.enumerated() {
                included.append(try JSONAPIIndex.Found(json, at: JsonPath([.key("included"), .index(index)])))
            }
        }
        let index = try JSONAPIIndex(found + included)
        return JSONAPIDocument(
            primary: found.map { JSONAPIResource($0, in: index, trail: []) },
            isList: isList,
            meta: raw["meta"],
            links: raw["links"]
        )
    }

    /// Returns the models of the primary resources.
    /// - Parameters:
    ///   - model: The model's type.
    ///   - type: The JSON:API type of the resources.
    /// - Returns: The models in their order.
    /// - Throws: ``MappingError`` if a resource has another type; the errors of the models. Under a policy such as
    ///   ``MappingPolicy/salvaging``, a resource that fails is left out instead.
    public func many<Model: DTODecodable>(_ model: Model.Type = Model.self, of type: String) throws -> [Model]
    where Model.DTO == JSONAPIResource {
        try primary.mapDocumentElements(at: JsonPath([.key("data")])) { try $0.model(of: type) }
    }

    /// Returns the model of the single primary resource; `nil` if the data is `null`.
    /// - Throws: ``MappingError`` if the data is a list, or if the resource has another type; the errors of the model.
    public func one<Model: DTODecodable>(_ model: Model.Type = Model.self, of type: String) throws -> Model?
    where Model.DTO == JSONAPIResource {
        if isList {
            throw MappingError(
                MappingIssue(.wrongType, path: JsonPath([.key("data")]), expected: "one resource or null")
            )
        }
        return try primary.first?.model(of: type)
    }
}

extension JSONAPIDocument: Redacted {
    /// The number of primary resources: `JSONAPIDocument(3 resources)`.
    public var description: String { "JSONAPIDocument(\(primary.count) resources)" }
}
