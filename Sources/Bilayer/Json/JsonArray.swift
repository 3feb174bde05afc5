/// The elements of an array made or changed in code, and how deep it is nested.
@usableFromInline
struct JsonArray: Sendable {
    private(set) var elements: [Json]
    /// Levels of containers held in code, this one included; never too small.
    private(set) var depth = 1

    init(_ elements: [Json]) {
        self.elements = elements
        for position in elements.indices { adopt(position) }
    }

    /// Puts a value in the place of another, or after the last.
    mutating func set(_ value: Json, at position: Int) {
        if position < elements.count { elements[position] = value } else { elements.append(value) }
        adopt(position)
    }

    /// Takes an element out and leaves `null` there, so that it can be changed where it is.
    mutating func take(at position: Int) -> Json {
        defer { elements[position] = .null }
        return elements[position]
    }

    mutating func remove(at position: Int) { elements.remove(at: position) }

    private mutating func adopt(_ position: Int) {
        let inner = elements[position].depthInCode
        if inner == 0 { return }
        if inner >= Json.maximumDepthInCode { elements[position] = elements[position].boundedInDepth }
        depth = max(depth, elements[position].depthInCode + 1)
    }
}

// Containers in code hold one another, so printing them, comparing them and letting go of them is recursive. What keeps that
// bounded: a value nested deeper than `maximumDepthInCode` becomes a text, which is flat however deep it is nested.
extension Json {
    static let maximumDepthInCode = 512

    /// Levels of containers held in code; 0 for scalars and texts.
    var depthInCode: Int {
        switch storage {
        case .array(let array): array.depth
        case .object(let object): object.depth
        default: 0
        }
    }

    /// The same value, as a text if it is nested too deep to be put into another.
    var boundedInDepth: Json {
        depthInCode < Self.maximumDepthInCode ? self : Json(.written(WrittenJson(serialized())))
    }
}
