/// The elements of an array made or changed in code, and the depth of their nesting.
@usableFromInline
struct JsonArray: Sendable {
    private(set) var elements: [Json]
    /// The nesting of containers stored in code, this array included. It may be too large after a removal, never too
    /// small.
    private(set) var depth: Int

    /// Makes an array of elements that containers can store.
    /// - Parameters:
    ///   - elements: The elements.
    ///   - depth: The depth of the deepest element plus one.
    init(_ elements: [Json], depth: Int) {
        self.elements = elements
        self.depth = depth
    }

    /// Replaces the element at a position, or appends an element after the last one.
    mutating func set(_ value: ContainedJson, at position: Int) {
        if position < elements.count { elements[position] = value.json } else { elements.append(value.json) }
        depth = max(depth, value.depth + 1)
    }

    /// Removes an element and leaves `null` in its position, so that the caller changes the element without a copy.
    mutating func take(at position: Int) -> Json {
        defer { elements[position] = .null }
        return elements[position]
    }

    mutating func remove(at position: Int) { elements.remove(at: position) }
}

/// A value that a container made in code can store: it is not nested too deeply, or it is stored as a text.
struct ContainedJson {
    let json: Json
    /// The nesting of containers stored in code; 0 for scalars and texts.
    let depth: Int
}
