/// A part of an ``IssueLog`` that was removed, to be added again.
struct IssueLogPart {
    var issues: [MappingIssue] = []
    var losses: [Loss] = []
    var omitted = 0
    var omittedDrops = 0
    var omittedClashes: [MappingIssue] = []

    var isEmpty: Bool { issues.isEmpty && losses.isEmpty && omitted == 0 }

    /// The elements that were left out of one array or set.
    struct Loss {
        var localPath: JsonPath
        /// The indices in ascending order.
        private(set) var indices: [Int]
        /// The value at which ``localPath`` begins, until a component is prepended.
        private var origin: Json?

        init(of indices: [Int], at path: JsonPath) {
            localPath = path
            self.indices = indices
        }

        mutating func prefix(by path: JsonPath) {
            localPath = localPath.prefixed(by: path)
            if !path.isRoot { origin = nil }
        }

        /// Sets the origin to the value that was read. If there already is another origin, the code has kept a part of
        /// the value, or of another text, and read it later. Then the path from the value to this part is unknown, so
        /// the loss is forgotten. Otherwise it would count for another array of the value. To look for the part
        /// would take a step for each part before it.
        mutating func setOrigin(_ value: Json) {
            guard case .view = value.storage else { return }
            if let origin, !value.isSameView(as: origin) { indices = [] }
            origin = value
        }
    }
}
