/// Reads several values in `from(dto:)` independently, so that a policy that collects errors finds the errors of all
/// values.
///
/// A `try` that throws ends a function, so without `gathering` the first missing field hides the others. Choose it for
/// models with many required fields:
///
/// ```swift
/// struct PersonEntry: Codable, RawMappable {
///     let name: String?
///     let age: Int?
/// }
///
/// struct Person: DTODecodable {
///     let name: String
///     let age: Int
///
///     static func from(dto: PersonEntry) throws -> Person {
///         let (name, age) = try gathering(
///             { try dto.name.require("name") },
///             { try dto.age.require("age") })
///         return Person(name: name, age: age)
///     }
/// }
/// ```
/// Under ``MappingPolicy/collectingAll(limit:)`` all closures run, and the error has the issues of those that failed,
/// up to the limit. Under another policy the first error is thrown at once.
/// - Parameter read: The closures, in the order in which they run.
/// - Returns: Their values.
/// - Throws: ``MappingError``; under a policy that does not collect, the first error of a closure. A
///   `CancellationError` is thrown at once under every policy.
public func gathering<each Value>(_ read: repeat () throws -> each Value) throws -> (repeat each Value) {
    var gathered = Gathered()
    let values = try (repeat gathered.value(of: each read))
    try gathered.finish()
    return (repeat try gathered.unwrap(each values))
}

/// The errors of values that are read one by one.
private struct Gathered {
    private let log: IssueLog?
    private let start: IssueLog.Mark
    private var issues: [MappingIssue] = []

    init() {
        log = IssueLog.current
        start = log?.mark ?? .start
    }

    private var policy: MappingPolicy { log?.policy ?? .standard }

    /// Returns the value of a closure, or `nil` if its error was collected.
    mutating func value<Value>(of read: () throws -> Value) throws -> Value? {
        let mark = log?.mark ?? .start
        do {
            return try read()
        } catch {
            if error is CancellationError || !policy.collectsAll { throw ending(with: error) }
            log?.settleAside(since: mark, after: error)
            issues += MappingError(wrapping: error).issues.prefix(policy.issueLimit - issues.count)
            return nil
        }
    }

    func finish() throws {
        if let first = issues.first { throw ending(with: MappingError(first, Array(issues.dropFirst()))) }
    }

    /// Returns the error to throw. Sets the issues of the closures aside (``IssueLog/setAside(since:failedBy:)``),
    /// because code that catches the error discards them, too.
    private func ending(with error: any Error) -> any Error {
        log?.setAside(since: start, failedBy: error)
        return error
    }

    func unwrap<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw MappingError(MappingIssue(.missing, expected: typeName(Value.self))) }
        return value
    }
}
