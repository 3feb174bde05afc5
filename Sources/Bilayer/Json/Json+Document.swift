extension Json {
    /// The root of the parsed text that contains this value. A value that is not a view is its own root.
    var documentRoot: Json {
        guard case .view(let document, _) = storage else { return self }
        return Json(document: document)
    }

    /// Whether the value is a part of a parsed text, but not its root.
    var isPartOfText: Bool {
        guard case .view(_, let position) = storage else { return false }
        return position > 0
    }

    /// The path of the value in the parsed text that contains it; nil for the root, and for a value that is not a view.
    var pathInDocument: JsonPath? {
        guard case .view(let document, let position) = storage, position > 0 else { return nil }
        return document.withNodes { $0.path(to: position) }
    }

    /// Returns the path from this value to a value inside it; nil if the other value is this value, or is not inside
    /// it.
    func path(toInner other: Json) -> JsonPath? {
        guard case .view(let document, let position) = storage, case .view(let inner, let target) = other.storage,
            document === inner, position < target
        else { return nil }
        return document.withNodes { nodes in
            target < nodes.words.next(after: position) ? nodes.path(to: target, from: position) : nil
        }
    }
}

extension Json {
    /// Whether both are the same value of the same parsed text.
    func isSameView(as other: Json) -> Bool {
        guard case .view(_, let position) = storage else { return false }
        return self.position(ofPart: other) == position
    }

    /// The position of a part of this value's text in the index; `nil` for all other values.
    func position(ofPart part: Json) -> Int? {
        guard case .view(let document, _) = storage, case .view(let other, let position) = part.storage,
            document === other
        else { return nil }
        return position
    }
}

extension JsonNodes {
    /// Returns the path of the value at a position. Takes one step for each sibling that precedes the value or one of
    /// its enclosing values.
    fileprivate func path(to target: Int, from start: Int = 0) -> JsonPath {
        var components: [JsonPath.Component] = []
        var container = start
        while container < target, let (component, child) = step(from: container, to: target) {
            components.append(component)
            container = child
        }
        return JsonPath(components)
    }

    /// Returns the path component and the position of the child that is the target or encloses it. Returns nil if the
    /// value at `container` is a scalar, or if no child encloses the target.
    private func step(from container: Int, to target: Int) -> (JsonPath.Component, Int)? {
        guard tag(at: container).isContainer else { return nil }
        let isObject = tag(at: container) == .object
        let end = words.next(after: container)
        var child = firstChild(of: container)
        var index = 0
        while child < end {
            let value = isObject ? child &+ 1 : child
            let next = words.next(after: value)
            if target < next { return (isObject ? .key(string(at: child)) : .index(index), value) }
            child = next
            index += 1
        }
        return nil
    }
}
