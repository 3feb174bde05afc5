/// A part of an ``IssueLog`` that was removed, to be added again.
struct IssueLogPart {
    var issues: [MappingIssue] = []
    var losses: [Loss] = []
    var omitted = 0
    var omittedDrops = 0
    var omittedClashes: [MappingIssue] = []

    var isEmpty: Bool { issues.isEmpty && losses.isEmpty && omitted == 0 }

    /// The elements that were left out of one array or set.
    struct Loss: Placed {
        var localPath: JsonPath
        var origin: Json?
        /// The indices in ascending order.
        let indices: [Int]
    }
}
