import Foundation

extension MappingReport {
    /// A headline and one line for each issue. Further lines follow if issues were omitted, or if there may be more
    /// errors (``mayHaveMoreErrors``).
    ///
    ///     Order: 1 problem, 1 recovered   GET https://example.com/orders/{id} -> 200 OK, 18.4 kB, application/json
    ///       error    $.items[1].price   wrong type: expected Decimal, found string (5 characters)
    ///       warning  $.status           unknown value: expected a value of Status, found string (8 characters); kept
    public var description: String {
        let paths = issues.map(\.path.description)
        let width = min(paths.map(\.count).max() ?? 0, 40)
        let lines = zip(issues, paths)
            .map { issue, path in
                "  \(issue.severity.rawValue.padded(to: 7))  \(path.padded(to: width))   \(issue.message)"
            }
        return ([headline] + lines + omission).joined(separator: "\n")
    }

    /// The report on one line: the headline and the first issue.
    public var oneLine: String {
        ([headline] + issues.prefix(1).map(\.description)).joined(separator: "   ")
    }

    /// The issues as a tree along their paths. The common beginning of several paths is printed once.
    ///
    ///     $
    ///     ├─ items
    ///     │  └─ [1]
    ///     │     └─ price   error: wrong type: expected Decimal, found string (5 characters)
    ///     └─ status   warning: unknown value: expected a value of Status, found string (8 characters); kept
    public var tree: String {
        IssueTree(issues).lines.joined(separator: "\n")
    }

    /// The report as JSON, for analytics. It has kinds, paths, types and lengths. Its only payload values are the
    /// codes of GraphQL and JSON-RPC errors, unless values are disclosed (``showing(_:in:)``).
    public var json: Json {
        Json(
            members: [
                ("side", Json(side.rawValue)),
                ("subject", subjectName.map { Json($0) } ?? .null),
                ("route", endpoint.map { Json($0.name) } ?? .null),
                ("status", response.map { Json($0.status.code) } ?? .null),
                ("call", Json(callID.uuidString)),
                ("omitted", Json(omittedIssueCount)),
                ("issues", Json(issues.map(\.json))),
            ] as [(key: String, value: Json)]
        )
    }

    private var headline: String {
        let failed = issues.filter { $0.severity == .error }.count + omittedErrorCount
        let recovered = issues.count + omittedIssueCount - failed
        let counts = "\(failed) problem\(failed == 1 ? "" : "s"), \(recovered) recovered"
        let call = [request?.described(as: endpoint) ?? endpoint?.name, response.map { "-> \($0)" }].compactMap { $0 }
        return ([[subjectName, counts].compactMap { $0 }.joined(separator: ": ")] + [call.joined(separator: " ")])
            .filter { !$0.isEmpty }.joined(separator: "   ")
    }

    private var subjectName: String? { subject ?? (side == .response ? endpoint?.responseName : side.rawValue) }

    private var omission: [String] {
        let counted = omittedIssueCount == 0 ? [] : ["  and \(omittedIssueCount) more"]
        return counted + (mayHaveMoreErrors ? ["  and perhaps more errors: as many as the limit were found"] : [])
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        count < width ? self + String(repeating: " ", count: width - count) : self
    }
}
