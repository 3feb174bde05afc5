/// The part of the received text that the mapping stages of a call read, and the server's reasons for missing values.
struct MappedPart: Sendable {
    /// The path of the part in the received text; `nil` for the whole text.
    var path: JsonPath?
    /// The part itself.
    var value: Json?
    /// The path of the value's text in the response, for an element of a stream.
    var textPath: JsonPath?
    /// The path of the entry in this part, while the entry is converted; `nil` if the entry is the whole part.
    var entry: JsonPath?
    /// Returns the reason for a missing value at a path of this part; `nil` if the response gives no reason.
    var reason: (@Sendable (JsonPath) -> String?)?
    /// The error that the server has reported in addition to this part, for example the `errors` of a GraphQL response.
    var reported: (any Error)?

    /// The path in the received text at which the paths of the stage begin; `nil` for the root.
    var base: JsonPath? {
        guard let entry else { return path }
        return path.map(entry.prefixed) ?? entry
    }

    /// Changes the path of an issue to the path in the received text, and adds the server's reason for a missing value.
    /// - Parameters:
    ///   - issue: An issue of a stage.
    ///   - name: Replaces the names and indices in the issue's path by the keys and indices of the received text.
    func locateInDocument(_ issue: inout MappingIssue, naming name: (inout MappingIssue) -> Void) {
        completePath(of: &issue)
        issue.forgetOrigin()
        if let base { issue.prefix(by: base) }
        name(&issue)
        explain(&issue)
        issue.pathState = .whole
    }

    /// Returns a ``MappingError`` with its issues changed as by ``locateInDocument(_:naming:)``. If there is a
    /// ``base``, any other error but a cancellation becomes issues at that path. Without a base, such an error is
    /// returned unchanged.
    func locatedInDocument(_ error: any Error, naming name: (inout MappingIssue) -> Void = { _ in }) -> any Error {
        let completed = (error as? MappingError)?.updatingIssues(completePath) ?? error
        let error = base.map { MappingError.located(completed, at: $0) } ?? completed
        guard let error = error as? MappingError else { return error }
        return error.updatingIssues { issue in
            issue.forgetOrigin()
            name(&issue)
            explain(&issue)
            issue.pathState = .whole
        }
    }

    private func completePath(of issue: inout MappingIssue) {
        if let value { issue.completePath(in: value, at: textPath) }
    }

    private func explain(_ issue: inout MappingIssue) {
        guard let reason else { return }
        for position in issue.causes.indices { explain(&issue.causes[position]) }
        guard issue.kind == .null || issue.kind == .missing, issue.detail == nil else { return }
        let depth = path?.components.count ?? 0
        issue.detail = reason(JsonPath(Array(issue.localPath.components.dropFirst(depth))))
    }
}
