public import Bilayer

extension MappingReport {
    /// The issues as text for a snapshot. Line numbers, call and response are left out, so the text changes only with
    /// the mapping.
    public var snapshot: String {
        issues.map { issue in
            var copy = issue
            copy.source = nil
            let place = issue.source.map { source in
                " at \(source.fileID.split(separator: "/").last ?? "") \(source.function)"
            }
            return "\(issue.severity.rawValue) \(copy)\(place ?? "")"
        }
        .joined(separator: "\n")
    }
}

/// Checks that the reports of a mapping equal a snapshot.
///
/// ```swift
/// let collected = CollectingReporter()
/// _ = try? collected.mapping { try User.from(dto: sampleEntry) }
/// try expectSnapshot(of: collected.reports, is: """
///     warning $.items[3]: dropped: $.items[3].sku: missing, required by ItemEntry -> Item at Item.swift from(dto:)
///     """)
/// ```
/// - Parameters:
///   - reports: The reports.
///   - snapshot: The expected text, in the format of `MappingReport.snapshot`. Empty lines are ignored.
/// - Throws: ``ContractError`` with the added lines and the missing lines.
public func expectSnapshot(of reports: [MappingReport], is snapshot: String) throws {
    let lines = reports.flatMap { $0.snapshot.split(separator: "\n").map(String.init) }
    let expected = snapshot.split(separator: "\n").map(String.init)
    let problems = lines.difference(from: expected)
        .map { change in
            switch change {
            case .insert(let line, let text, _): ContractError.Problem(path: "line \(line + 1)", text: "new: \(text)")
            case .remove(let line, let text, _): ContractError.Problem(path: "line \(line + 1)", text: "gone: \(text)")
            }
        }
    try ContractError.check("the report", problems)
}
