/// An array made or changed in code: its elements and its nesting depth.
@usableFromInline
struct JsonArray: Sendable {
    private(set) var elements: [Json]
    /// The nesting depth of containers made in code, this array included. After an element is removed or replaced, the
    /// depth may be too large; it is never too small.
    private(set) var depth: Int

    /// Makes an array. Each element must be one that a container can store (``ContainedJson``).
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

    /// Removes and returns an element, and leaves `null` in its place. The caller can then change the element without a
    /// copy.
    mutating func take(at position: Int) -> Json {
        defer { elements[position] = .null }
        return elements[position]
    }

    mutating func remove(at position: Int) { elements.remove(at: position) }
}

/// A value that a container made in code can store. A value that is nested too deeply has been replaced by a JSON text.
struct ContainedJson {
    let json: Json
    /// The nesting depth of containers made in code; 0 for scalars, for parsed values and for written JSON texts.
    let depth: Int
}
