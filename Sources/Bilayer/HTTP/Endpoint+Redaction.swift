import Foundation

extension Endpoint {
    /// Equal to ``name``: arguments and query values can be personal.
    public var description: String { name }

    /// A redacted address of this route with the arguments' names instead of their values.
    ///
    /// Where the path is not the route's own, for example after a redirect, segments that contain an argument's value
    /// are hidden, in any case of its letters, escaped or not.
    /// - Parameters:
    ///   - address: The address.
    ///   - base: The base address of the route, whose path is shown.
    /// - Returns: The address as it may be shown.
    func namingArguments(in address: String, below base: URL?) -> String {
        if arguments.names.isEmpty { return address }
        let query = address.firstIndex(of: "?") ?? address.endIndex
        let authority = address.firstRange(of: "//").map { address[$0.upperBound..<query] } ?? address[..<query]
        let start = authority.firstIndex(of: "/") ?? query
        let path = address[start..<query]
        let shown = namingTemplate(in: path, below: base) ?? hidingValues(in: path)
        return "\(address[..<start])\(shown)\(address[query...])"
    }

    /// The path with the template instead of the filled template; nil if it does not end with the filled template.
    private func namingTemplate(in path: Substring, below base: URL?) -> String? {
        let template = templatePath.trimmingLeadingSlashes
        guard let own = try? expandedPath(), path.hasSuffix("/\(own)") else { return nil }
        let start = path.dropLast(own.count)
        let isOfBase = base?.path(percentEncoded: true).trimmingSlashes == String(start).trimmingSlashes
        return "\(isOfBase ? String(start) : hidingValues(in: start))\(template)"
    }

    private func hidingValues(in path: Substring) -> String {
        let values = arguments.names.compactMap { arguments[$0] }.flatMap { $0.split(separator: "/") }
            .flatMap { spellings(of: String($0)) }
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { segment in
                let texts = spellings(ofSegment: String(segment))
                return values.contains { value in texts.contains { $0.contains(value) } } ? "…" : String(segment)
            }
            .joined(separator: "/")
    }
}

/// The spellings of a value in which a server may repeat it: without regard to case, and a UUID without its hyphens.
private func spellings(of value: String) -> [String] {
    let one = value.precomposedStringWithCompatibilityMapping.lowercased()
    return UUID(uuidString: value) == nil ? [one] : [one, one.replacing("-", with: "")]
}

/// A segment as it is, without its escapes, without those inside of them, and each with blanks for `+`.
private func spellings(ofSegment segment: String) -> [String] {
    var texts = [segment]
    for _ in 0..<2 { if let next = texts.last?.removingPercentEncoding { texts.append(next) } }
    texts += texts.map { $0.replacing("+", with: " ") }
    return texts.map { $0.precomposedStringWithCompatibilityMapping.lowercased() }
}
