import Foundation

extension Endpoint {
    /// Equal to ``name``. Arguments and query values can be personal, so they are not shown.
    public var description: String { name }

    /// Returns a redacted address of this route with the names of the arguments instead of their values.
    ///
    /// A redirect can repeat an argument at any place and in any spelling, or contain a secret of the server. So if the
    /// path differs from the route's path, only the literal segments of the template and of the base address are shown.
    /// If the host differs from the base address's host, those of its labels are hidden that contain a part of an
    /// argument or of a query value.
    /// - Parameters:
    ///   - address: The address, from which ``redactedAddress(_:)`` has removed the secrets.
    ///   - base: The base address of the route. Its host and its path are shown.
    /// - Returns: The address for descriptions.
    func namingArguments(in address: String, below base: URL?) -> String {
        // A request without a base address was not made from the route. For example, a closure of the app made it. If
        // the route has no values, nothing has to be hidden.
        if base == nil, arguments.names.isEmpty, query.items.isEmpty { return address }
        let end = address.firstIndex(of: "?") ?? address.endIndex
        let host = address[..<end].firstRange(of: "//")?.upperBound ?? address.startIndex
        let path = address[host..<end].firstIndex(of: "/") ?? end
        let shownHost = hidingValues(inHost: address[host..<path], of: base)
        let shownPath = namingTemplate(in: address[path..<end], below: base)
        return "\(address[..<host])\(shownHost)\(shownPath)\(address[end...])"
    }

    /// Replaces the filled template at the end of a path by the template itself. In the rest of the path, only literal
    /// segments of the template and segments of the base address are shown.
    private func namingTemplate(in path: Substring, below base: URL?) -> String {
        let template = withoutPathParameters(templatePath.trimmingLeadingSlashes)
        let literals = template.split(separator: "/").filter { !$0.contains("{") }
            .map { $0.percentEncoded(keeping: .path) }
        let ofBase = base?.path(percentEncoded: true).split(separator: "/").map { String($0) } ?? []
        let shown = Set(literals + ofBase + [""])
        func hidingOthers(in path: Substring) -> String {
            path.split(separator: "/", omittingEmptySubsequences: false)
                .map { shown.contains(String($0)) ? String($0) : "…" }
                .joined(separator: "/")
        }
        guard let own = try? withoutPathParameters(expandedPath()), path.hasSuffix("/\(own)") else {
            return hidingOthers(in: path)
        }
        return hidingOthers(in: path.dropLast(own.count)) + template
    }

    /// Hides the labels of a host that contain or may contain a part of a value. The port is shown.
    private func hidingValues(inHost host: Substring, of base: URL?) -> String {
        let name = host.prefix { $0 != ":" }
        if let own = base?.host(percentEncoded: true), own.lowercased() == name.lowercased() { return String(host) }
        let values = arguments.names.compactMap { arguments[$0] } + query.items.map(\.value)
        let parts = values.flatMap { folded($0).split { !$0.isLetter && !$0.isNumber }.map { String($0) } }
        let areASCII = parts.allSatisfy { $0.utf8.allSatisfy { $0 < 128 } }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
            .map { label in
                let text = folded(String(label).removingPercentEncoding ?? String(label))
                // RFC 5891 §4.4: a label with `xn--` is another spelling of letters that are not ASCII.
                if !areASCII, text.hasPrefix("xn--") { return "…" }
                let letters = text.filter { $0.isLetter || $0.isNumber }
                return parts.contains { letters.contains($0) } ? "…" : String(label)
            }
        return labels.joined(separator: ".") + host[name.endIndex...]
    }
}

/// Returns the text in a form for comparison: without letter case, and with one spelling for each character.
private func folded(_ text: String) -> String { text.precomposedStringWithCompatibilityMapping.lowercased() }
