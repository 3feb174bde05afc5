/// The issues of a report as a tree along the components of their paths.
struct IssueTree {
    private var issues: [MappingIssue] = []
    private var branches: [(step: JsonPath.Component, tree: IssueTree)] = []

    init(_ issues: [MappingIssue]) {
        for issue in issues { insert(issue, at: issue.path.components[...]) }
    }

    private mutating func insert(_ issue: MappingIssue, at path: ArraySlice<JsonPath.Component>) {
        guard let step = path.first else { return issues.append(issue) }
        let index = branches.firstIndex { $0.step == step } ?? branches.endIndex
        if index == branches.endIndex { branches.append((step, IssueTree([]))) }
        branches[index].tree.insert(issue, at: path.dropFirst())
    }

    var lines: [String] { [line(for: "$")] + branchLines(indent: "") }

    private func branchLines(indent: String) -> [String] {
        branches.enumerated()
            .flatMap { position, branch in
                let isLast = position == branches.count - 1
                let own = indent + (isLast ? "└─ " : "├─ ") + branch.tree.line(for: branch.step.text)
                return [own] + branch.tree.branchLines(indent: indent + (isLast ? "   " : "│  "))
            }
    }

    private func line(for name: String) -> String {
        ([name] + issues.map { "\($0.severity.rawValue): \($0.message)" }).joined(separator: "   ")
    }
}

extension JsonPath.Component {
    /// The component as in a path, without the dot.
    fileprivate var text: String {
        let path = JsonPath([self]).description.dropFirst()
        return String(path.first == "." ? path.dropFirst() : path)
    }
}
