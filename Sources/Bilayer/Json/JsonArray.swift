/// The elements of an array made or changed in code, and its nesting.
@usableFromInline
struct JsonArray: Sendable {
    private(set) var elements: [Json]
    /// The nesting of containers held in code, this one included; never too small.
    private(set) var depth: Int

    /// Makes an array of elements that containers can hold.
    /// - Parameters:
    ///   - elements: The elements.
    ///   - depth: One more than that of the deepest element.
    init(_ elements: [Json], depth: Int) {
        self.elements = elements
        self.depth = depth
    }

    /// Replaces an element, or appends one after the last.
    mutating func set(_ value: ContainedJson, at position: Int) {
        if position < elements.count { elements[position] = value.json } else { elements.append(value.json) }
        depth = max(depth, value.depth + 1)
    }

    /// Removes an element and leaves `null` in its position, so that it can be changed without a copy.
    mutating func take(at position: Int) -> Json {
        defer { elements[position] = .null }
        return elements[position]
    }

    mutating func remove(at position: Int) { elements.remove(at: position) }
}

/// A value that a container in code can hold: it is not nested too deeply, or it is a text.
struct ContainedJson {
    let json: Json
    /// The nesting of containers held in code; 0 for scalars and texts.
    let depth: Int
}
