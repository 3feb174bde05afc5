extension Json {
    /// The root of the text that the value is a part of; for another value, the value itself.
    var documentRoot: Json {
        guard case .view(let document, _) = storage else { return self }
        return Json(document: document)
    }

    /// Whether the value is a part of a parsed text, and not all of it.
    var isPartOfText: Bool {
        guard case .view(_, let position) = storage else { return false }
        return position > 0
    }

    /// The path of the value in the text that it is a part of; nil for a whole text, and for a value of no text.
    var pathInDocument: JsonPath? {
        guard case .view(let document, let position) = storage, position > 0 else { return nil }
        return document.withNodes { $0.path(to: position) }
    }
}

extension JsonNodes {
    /// The path of the value at a position. Takes as many steps as the value and what encloses it have preceding
    /// siblings.
    fileprivate func path(to target: Int) -> JsonPath {
        var components: [JsonPath.Component] = []
        var container = 0
        while container < target, let (component, child) = step(from: container, to: target) {
            components.append(component)
            container = child
        }
        return JsonPath(components)
    }

    /// The element or member of a container that encloses a position, and its own position.
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
