/// The part of the received text that the mapping stages of a call read, with the server's reasons for missing values.
struct MappedPart: Sendable {
    /// The path in the received text; `nil` for all of it.
    var path: JsonPath?
    /// The path of the entry in this part while it is converted; `nil` for all of it.
    var entry: JsonPath?
    /// The reason for a missing value at a path of this part, if the response has one.
    var reason: (@Sendable (JsonPath) -> String?)?
    /// The failures that the response reports beside this part, in the form of its protocol.
    var reported: (any Error)?

    /// The path in the received text where the paths of the stage begin; `nil` for its root.
    var base: JsonPath? {
        guard let entry else { return path }
        return path.map(entry.prefixed) ?? entry
    }

    /// Moves an issue into the received text, and names the reason for a missing value.
    /// - Parameters:
    ///   - issue: An issue of a stage.
    ///   - name: Puts the names of the received text into its path.
    func locateInDocument(_ issue: inout MappingIssue, naming name: (inout MappingIssue) -> Void) {
        issue.forgetOrigin()
        if let base { issue.prefix(by: base) }
        name(&issue)
        explain(&issue)
    }

    /// Returns an error of a mapping with its issues changed by ``locateInDocument(_:naming:)``. Any other error
    /// becomes one issue at the path of this part.
    func locatedInDocument(_ error: any Error, naming name: (inout MappingIssue) -> Void = { _ in }) -> any Error {
        let error = base.map { MappingError.located(error, at: $0) } ?? error
        guard let error = error as? MappingError else { return error }
        return error.updatingIssues { issue in
            issue.forgetOrigin()
            name(&issue)
            explain(&issue)
        }
    }

    private func explain(_ issue: inout MappingIssue) {
        guard let reason else { return }
        for position in issue.causes.indices { explain(&issue.causes[position]) }
        guard issue.kind == .null || issue.kind == .missing, issue.detail == nil else { return }
        let depth = path?.components.count ?? 0
        issue.detail = reason(JsonPath(Array(issue.localPath.components.dropFirst(depth))))
    }
}
