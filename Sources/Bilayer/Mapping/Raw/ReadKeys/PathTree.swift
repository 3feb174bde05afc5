/// A set of paths, as a tree of their components. The time of ``encloses(_:)`` grows with the length of the tested
/// path, and does not depend on the number of paths.
struct PathTree {
    private struct Step: Hashable {
        let node: Int
        let component: JsonPath.Component
    }

    /// The nodes, by the step that leads to each. The root is node 0.
    private var nodes: [Step: Int] = [:]
    /// The nodes at which a path ends.
    private var ends: Set<Int> = []

    init(_ paths: [JsonPath]) {
        for path in paths {
            var node = 0
            for component in path.components {
                let step = Step(node: node, component: component)
                let next = nodes[step] ?? nodes.count + 1
                nodes[step] = next
                node = next
            }
            ends.insert(node)
        }
    }

    /// Whether a path equals a path of the set, or begins with one.
    func encloses(_ path: JsonPath) -> Bool {
        if ends.isEmpty { return false }
        var node = 0
        for component in path.components {
            if ends.contains(node) { return true }
            guard let next = nodes[Step(node: node, component: component)] else { return false }
            node = next
        }
        return ends.contains(node)
    }
}
