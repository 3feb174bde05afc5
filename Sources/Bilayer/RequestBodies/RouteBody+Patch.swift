extension RouteBody {
    /// Makes a merge patch that changes one model to another. Both are converted through both layers.
    ///
    /// ```swift
    /// let old = ["name": "Ada", "city": "London"] as Json
    /// let new = ["name": "Ada", "age": 36] as Json
    /// let route = Route<Json>.patch("users/{id}", ["id": 7], body: .mergePatch(from: old, to: new))
    /// // {"city":null,"age":36}
    /// ```
    /// The body is `application/merge-patch+json` (RFC 7396). A `null` in a merge patch removes a member, so the patch
    /// cannot set a member to `null`. If a member has to become `null`, the call fails: its ``CallError`` has a
    /// ``MappingError`` as the underlying error. Use `jsonPatch(from:to:)` in this case. Arrays are replaced whole. Two
    /// equal objects make `{}`.
    /// - Parameters:
    ///   - old: The value that the server has.
    ///   - new: The value that the server is to have.
    /// - Returns: The body.
    public static func mergePatch<Model: DTOEncodable & Sendable>(from old: Model, to new: Model) -> RouteBody
    where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
        mergePatch(BodyValue(model: old), BodyValue(model: new))
    }

    /// Makes a merge patch that changes one entry to another.
    /// - Parameters:
    ///   - old: The value that the server has.
    ///   - new: The value that the server is to have.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func mergePatch<Entry: RawEncodable & Sendable>(from old: Entry, to new: Entry) -> RouteBody
    where Entry.Raw == Json {
        mergePatch(BodyValue(entry: old), BodyValue(entry: new))
    }

    /// Makes a JSON Patch that changes one model to another. Both are converted through both layers.
    ///
    /// ```swift
    /// let old = ["name": "Ada", "tags": ["new"]] as Json
    /// let new = ["name": "Ada", "tags": ["new", "vip"]] as Json
    /// let route = Route<Json>.patch("users/{id}", ["id": 7], body: .jsonPatch(from: old, to: new))
    /// // [{"op":"add","path":"/tags/1","value":"vip"}]
    /// ```
    /// The body is `application/json-patch+json` (RFC 6902), with the operations `add`, `remove` and `replace`. Two
    /// equal values make `[]`.
    /// - Parameters:
    ///   - old: The value that the server has.
    ///   - new: The value that the server is to have.
    /// - Returns: The body.
    public static func jsonPatch<Model: DTOEncodable & Sendable>(from old: Model, to new: Model) -> RouteBody
    where Model.DTO: RawEncodable, Model.DTO.Raw == Json {
        jsonPatch(BodyValue(model: old), BodyValue(model: new))
    }

    /// Makes a JSON Patch that changes one entry to another.
    /// - Parameters:
    ///   - old: The value that the server has.
    ///   - new: The value that the server is to have.
    /// - Returns: The body.
    @_disfavoredOverload
    public static func jsonPatch<Entry: RawEncodable & Sendable>(from old: Entry, to new: Entry) -> RouteBody
    where Entry.Raw == Json {
        jsonPatch(BodyValue(entry: old), BodyValue(entry: new))
    }

    private static func mergePatch(_ old: BodyValue, _ new: BodyValue) -> RouteBody {
        RouteBody(named: "WriteMergePatch", new, nil) { json in
            let patch = try MergePatch.change(from: old.json(), to: json)
            return RequestBody(patch.serialized(), mediaType: "application/merge-patch+json")
        }
    }

    private static func jsonPatch(_ old: BodyValue, _ new: BodyValue) -> RouteBody {
        RouteBody(named: "WriteJsonPatch", new, nil) { json in
            let patch = try JsonPatch.changes(from: old.json(), to: json)
            return RequestBody(patch.serialized(), mediaType: "application/json-patch+json")
        }
    }
}
