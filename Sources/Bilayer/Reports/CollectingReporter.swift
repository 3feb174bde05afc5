import Foundation

/// Keeps every report in memory: for tests, and for a screen that shows the issues.
///
/// ```swift
/// let collected = CollectingReporter()
/// _ = try await client.fetch(.users, reporter: collected)
/// #expect(collected.issues.map(\.path.description) == ["$[3].photos[1].ref"])
/// ```
public final class CollectingReporter: MappingReporter, @unchecked Sendable {  // Sendable: `kept` is under `lock`.
    private let lock = NSLock()
    private var kept: [MappingReport] = []

    /// Makes an empty reporter.
    public init() {}

    /// Keeps the report.
    public func report(_ report: MappingReport) {
        lock.withLock { kept.append(report) }
    }

    /// All reports so far, oldest first.
    public var reports: [MappingReport] { lock.withLock { kept } }

    /// All issues so far, oldest report first.
    public var issues: [MappingIssue] { reports.flatMap(\.issues) }
}

extension CollectingReporter: Redacted {
    /// The number of reports.
    public var description: String { "\(typeName(Self.self))(\(reports.count) reports)" }
}
