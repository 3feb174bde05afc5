/// The paths of values, as a tree of their components. It finds whether a path is inside of one of them in time that
/// grows with the length of that path, however many paths there are.
struct PathTree {
    private struct Step: Hashable {
        let node: Int
        let component: JsonPath.Component
    }

    /// The nodes by the step that leads to them. The root is node 0.
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

    /// Whether a path is one of these, or inside of one.
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
