/// Merges the pieces of a response that arrives in pieces (incremental delivery).
///
/// Three versions of incremental delivery are read:
/// - each piece is a response with a path (2020);
/// - a response contains pieces, each with a path (2022);
/// - a response contains pieces, each with the id of an announced part (2023 and later).
struct IncrementalResponse {
    private var response: Json?
    /// Whether the server announced that more pieces follow.
    private(set) var isExpectingMore = false
    /// The paths of the announced parts, by their ids.
    private var pending: [String: JsonPath] = [:]

    /// Merges a piece into the response.
    /// - Returns: The response so far; `nil` if the piece changed neither data nor errors.
    mutating func receive(_ piece: Json) throws -> Json? {
        for part in piece["pending"]?.elements.map({ $0 }) ?? [] {
            if let id = part["id"]?.string { pending[id] = try Self.path(part["path"]) }
        }
        isExpectingMore = piece["hasNext"]?.bool ?? false
        if piece["path"] != nil, response != nil {
            try apply(piece)
            return response
        }
        var isChanged = false
        if piece["data"] != nil || response == nil {
            response = [:]
            response?["data"] = piece["data"] ?? .null
            isChanged = true
        }
        if add(errorsOf: piece) { isChanged = true }
        if let parts = piece["incremental"], parts.kind != .array {
            throw StreamFormatError("found \(parts.kind) as the incremental pieces, expected array")
        }
        for part in piece["incremental"]?.elements.map({ $0 }) ?? [] {
            guard part.kind == .object else {
                throw StreamFormatError("found \(part.kind) as an incremental piece, expected object")
            }
            try apply(part)
            isChanged = true
        }
        for part in piece["completed"]?.elements.map({ $0 }) ?? [] {
            if let id = part["id"]?.string { pending[id] = nil }
            if add(errorsOf: part) { isChanged = true }
        }
        if let extensions = piece["extensions"] { response?["extensions"] = extensions }
        return isChanged ? response : nil
    }

    private mutating func apply(_ part: Json) throws {
        guard let base = try part["path"].map({ try Self.path($0) }) ?? part["id"]?.string.flatMap({ pending[$0] })
        else {
            throw StreamFormatError("found a piece without a path, expected a path or the id of an announced part")
        }
        let path = try Self.path(part["subPath"]).prefixed(by: base).prefixed(by: .key("data"))
        add(errorsOf: part)
        if let items = part["items"], items.kind == .array {
            try add(items, at: path, hasIndex: part["id"] == nil)
        } else if let data = part["data"], data.kind == .object {
            try merge(data, at: path)
        }
    }

    /// Adds the members of a deferred fragment to the object at a path.
    private mutating func merge(_ data: Json, at path: JsonPath) throws {
        guard let object = response?.value(at: path), object.kind == .object else { throw Self.misplaced(path) }
        response?.set(Self.merged(object, data, levels: Self.mergedLevels), at: path)
    }

    /// The depth to which objects are merged. Real documents select fewer levels. Below that depth, the new value
    /// replaces the old value.
    private static let mergedLevels = 100

    /// Returns the members of two objects. Objects inside both are merged, too, and lists of equal length element by
    /// element.
    private static func merged(_ old: Json, _ new: Json, levels: Int) -> Json {
        if old.kind == .array, new.kind == .array, old.elements.count == new.elements.count, levels > 0 {
            return Json(zip(old.elements, new.elements).map { merged($0, $1, levels: levels - 1) })
        }
        guard old.kind == .object, new.kind == .object, levels > 0 else { return new }
        var object = old
        for (key, value) in new.effectiveMembers {
            object[key] = object[key].map { merged($0, value, levels: levels - 1) } ?? value
        }
        return object
    }

    /// Appends streamed elements to their list. In the older versions, the path ends with the index of the first new
    /// element.
    private mutating func add(_ items: Json, at path: JsonPath, hasIndex: Bool) throws {
        var path = path
        var index: Int?
        if hasIndex, case .index(let first) = path.components.last {
            path.components.removeLast()
            index = first
        }
        guard let list = response?.value(at: path), list.kind == .array,
            (index ?? list.elements.count) == list.elements.count
        else { throw Self.misplaced(path) }
        response?.set(Json(list.elements.map { $0 } + items.elements.map { $0 }), at: path)
    }

    /// Adds the errors of a piece to the response.
    /// - Returns: Whether the piece has errors.
    @discardableResult
    private mutating func add(errorsOf part: Json) -> Bool {
        guard let errors = part["errors"], errors.kind == .array, !errors.elements.isEmpty else { return false }
        let known = response?["errors"]?.elements.map { $0 } ?? []
        response?["errors"] = Json(known + errors.elements.map { $0 })
        return true
    }

    /// Reads a path: a list of names and indices. A missing path, or `null`, is the root.
    private static func path(_ json: Json?) throws -> JsonPath {
        guard let json, !json.isNull else { return .root }
        guard json.kind == .array else { throw StreamFormatError("found \(json.kind) as a path, expected an array") }
        return JsonPath(
            try json.elements.map { step in
                if let name = step.string { return .key(name) }
                if let index = step.int { return .index(index) }
                throw StreamFormatError("found \(step.kind) as a step of a path, expected a name or an index")
            }
        )
    }

    private static func misplaced(_ path: JsonPath) -> StreamFormatError {
        StreamFormatError("found a piece for \(path), expected a path in the response so far")
    }
}
