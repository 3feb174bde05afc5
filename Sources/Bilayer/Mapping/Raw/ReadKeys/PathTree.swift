/// Values by their paths, as a tree of the paths' components. The time of each use grows with the length of the path,
/// and does not depend on the number of paths.
struct PathTree<Value> {
    private struct Step: Hashable {
        let node: Int
        let component: JsonPath.Component
    }

    /// The nodes, by the step that leads to each. The root is node 0.
    private var nodes: [Step: Int] = [:]
    /// The values, by the node at which their path ends.
    private var values: [Int: Value] = [:]

    /// The value at exactly this path.
    subscript(path: JsonPath) -> Value? {
        get {
            var node = 0
            for component in path.components {
                guard let next = nodes[Step(node: node, component: component)] else { return nil }
                node = next
            }
            return values[node]
        }
        set {
            var node = 0
            for component in path.components {
                let step = Step(node: node, component: component)
                if nodes[step] == nil {
                    if newValue == nil { return }
                    nodes[step] = nodes.count + 1
                }
                node = nodes[step] ?? 0
            }
            values[node] = newValue
        }
    }

    /// The values at a path and at the paths that it begins with, from the root on.
    func values(along path: JsonPath) -> [Value] {
        var found: [Value] = []
        visit(path) { value in
            found.append(value)
            return true
        }
        return found
    }

    /// Whether a path equals a path of the tree, or begins with one.
    func encloses(_ path: JsonPath) -> Bool {
        var encloses = false
        visit(path) { _ in
            encloses = true
            return false
        }
        return encloses
    }

    /// Visits the values at a path and at the paths that it begins with, until `goesOn` returns false.
    private func visit(_ path: JsonPath, _ goesOn: (Value) -> Bool) {
        if values.isEmpty { return }
        var node = 0
        if let value = values[node], !goesOn(value) { return }
        for component in path.components {
            guard let next = nodes[Step(node: node, component: component)] else { return }
            node = next
            if let value = values[node], !goesOn(value) { return }
        }
    }
}

extension PathTree<Void> {
    /// Makes a set of paths.
    init(_ paths: [JsonPath]) {
        for path in paths { self[path] = () }
    }
}
