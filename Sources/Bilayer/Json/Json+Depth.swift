// Swift uses recursion to free nested containers that were made in code. To limit the recursion, a value with
// `maximumDepthInCode` or more levels becomes a JSON text when a container stores it. A text is freed without
// recursion.

extension Json {
    static let maximumDepthInCode = 512

    /// The nesting depth of containers made in code; 0 for scalars, for parsed values and for written JSON texts.
    fileprivate var depthInCode: Int {
        switch storage {
        case .array(let array): array.depth
        case .object(let object): object.depth
        default: 0
        }
    }
}

extension ContainedJson {
    /// Makes a value that a container can store. A value that is nested too deeply becomes a text.
    @inline(__always)
    init(_ json: Json) {
        let depth = json.depthInCode
        self = depth < Json.maximumDepthInCode ? Self(json: json, depth: depth) : Self(flattening: json)
    }

    @inline(never)
    private init(flattening json: Json) {
        self.init(json: Json(.written(WrittenJson(json.serialized()))), depth: 0)
    }
}

extension JsonArray {
    /// Makes an array of any elements. An element that is nested too deeply becomes a text.
    init(_ elements: [Json]) {
        var elements = elements
        var depth = 0
        for position in elements.indices where elements[position].depthInCode > 0 {
            let contained = ContainedJson(elements[position])
            if contained.depth == 0 { elements[position] = contained.json }
            depth = max(depth, contained.depth)
        }
        self.init(elements, depth: depth + 1)
    }
}

extension JsonObject {
    /// Makes an object. If a key is repeated, its first member determines the position. The value is from the last of
    /// its members if `lastWins` is true, otherwise from the first.
    init(_ members: some Sequence<(key: String, value: Json)>, lastWins: Bool) {
        self.init(minimumCapacity: members.underestimatedCount)
        for (key, value) in members { set(ContainedJson(value), for: key, replacing: lastWins) }
    }

    /// The value of a key. Setting nil removes the member; a new key is appended.
    subscript(key: String) -> Json? {
        get { value(of: key) }
        set {
            if let newValue { set(ContainedJson(newValue), for: key) } else { removeValue(of: key) }
        }
    }
}
