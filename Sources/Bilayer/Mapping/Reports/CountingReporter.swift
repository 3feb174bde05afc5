/// Counts issues by a key, and passes a sample of the reports on. For production.
///
/// The key consists of the route of the call, if there is one, and of the issue's ``MappingIssue/groupingKey``. If a
/// call fails outside of a mapping, this grouping key names the error: `GET shelf: failed $ status 503`. The key has a
/// further part in two cases:
///
/// - If the report is not about the response, the key has the report's ``MappingReport/side``:
///   `PUT profile: request: missing $.name ProfileEntry`.
/// - If the issue has causes, the key has the first cause: `GET shelf: dropped $[] BookEntry: missing $[].title
///   BookEntry`.
///
/// A report with a new key is always passed on. Of the keys beyond the limit, only the first counts as new. Of all
/// reports, every `sampling`th is passed on as well.
///
/// ```swift
/// let counting = CountingReporter(sampling: 100, next: AnalyticsReporter())
/// client.reporter = counting
/// print(counting.counts)              // ["GET orders: missing $.items[].price ItemEntry": 1042]
/// ```
public final class CountingReporter: MappingReporter {
    private struct State {
        var counts: [String: Int] = [:]
        var reportCount = 0
    }

    private let sampling: Int
    private let keyLimit: Int
    private let next: (any MappingReporter)?
    private let state = Locked(State())

    /// Makes a reporter without counts.
    /// - Parameters:
    ///   - sampling: The number of reports of which one is passed on; at least 1.
    ///   - keyLimit: The maximum number of different keys. Issues with further keys are counted under `other`, so that
    ///     keys from a hostile server do not fill memory.
    ///   - next: The reporter that receives the sample; `nil` to only count.
    public init(sampling: Int = 100, keyLimit: Int = 1_000, next: (any MappingReporter)? = nil) {
        self.sampling = max(1, sampling)
        self.keyLimit = max(1, keyLimit)
        self.next = next
    }

    /// Counts the report's issues, and passes the report on if it is in the sample.
    public func report(_ report: MappingReport) {
        if count(report) { next?.report(report) }
    }

    /// The number of issues by key.
    public var counts: [String: Int] { state.withLock { $0.counts } }

    private func count(_ report: MappingReport) -> Bool {
        state.withLock { state in
            var isNew = false
            for issue in report.issues {
                let side = report.side == .response ? nil : "\(report.side)"
                let parts = [report.endpoint?.name, side, issue.groupingKey, issue.causes.first?.groupingKey]
                let key = parts.compactMap { $0 }.joined(separator: ": ")
                let counted = state.counts[key] == nil && state.counts.count >= keyLimit ? "other" : key
                isNew = isNew || state.counts[counted] == nil
                state.counts[counted, default: 0] += 1
            }
            defer { state.reportCount += 1 }
            return isNew || state.reportCount.isMultiple(of: sampling)
        }
    }
}

extension CountingReporter: Redacted {
    /// The number of grouping keys.
    public var description: String { "\(typeName(Self.self))(\(counts.count) grouping keys)" }
}
