import Bilayer

/// Runs a mapping, and returns its value with the issues that it has reported.
func reported<Value>(
    _ policy: MappingPolicy = .standard,
    _ body: () throws -> Value
) throws -> (value: Value, issues: [String]) {
    let reporter = CollectingReporter()
    let value = try reporter.mapping(policy: policy, body)
    return (value, reporter.reports.flatMap(\.issues).map(\.description))
}

/// The text of the error that a mapping throws; "nothing" if it throws none.
func failure<Value>(_ policy: MappingPolicy = .standard, _ body: () throws -> Value) -> String {
    do {
        _ = try CollectingReporter().mapping(policy: policy, body)
        return "nothing"
    } catch {
        return "\(MappingError(wrapping: error))"
    }
}
