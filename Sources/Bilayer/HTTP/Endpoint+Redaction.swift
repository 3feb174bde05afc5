import Foundation

extension Endpoint {
    /// Equal to ``name``: arguments and query values can be personal.
    public var description: String { name }

    /// A redacted address of this route with the arguments' names instead of their values.
    ///
    /// Where the path is not the route's own, for example after a redirect, segments that contain an argument's value
    /// are hidden.
    func namingArguments(in address: String) -> String {
        if arguments.names.isEmpty { return address }
        let query = address.firstIndex(of: "?") ?? address.endIndex
        let authority = address.firstRange(of: "//").map { address[$0.upperBound..<query] } ?? address[..<query]
        let start = authority.firstIndex(of: "/") ?? query
        let path = address[start..<query]
        return "\(address[..<start])\(namingTemplate(in: path) ?? hidingValues(in: path))\(address[query...])"
    }

    /// The path with the template instead of the filled template; nil if it does not end with the filled template.
    private func namingTemplate(in path: Substring) -> String? {
        let template = templatePath.trimmingLeadingSlashes
        guard let own = try? expandedPath(), path.hasSuffix("/\(own)") else { return nil }
        return "\(path.dropLast(own.count))\(template)"
    }

    private func hidingValues(in path: Substring) -> String {
        let values = arguments.names.compactMap { arguments[$0] }.flatMap { $0.split(separator: "/") }
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { segment in
                let text = segment.removingPercentEncoding ?? String(segment)
                return values.contains { text.contains($0) || segment.contains($0) } ? "…" : String(segment)
            }
            .joined(separator: "/")
    }
}
