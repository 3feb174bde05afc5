/// Counts issues by their grouping key and passes a sample of the reports on, for production.
///
/// The key begins with the route of the call, if there is one. Issues of a request are counted apart:
/// `PUT profile: request: missing $.name ProfileEntry`. What was left out is counted by its cause, and a failed call by
/// its error: `GET shelf: dropped $[] BookEntry: missing $[].title BookEntry`, `GET shelf: failed $ -: status 503`.
///
/// A report with a new key is always passed on; of the others every `sampling`th.
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
    ///   - sampling: Every how many reports one is passed on; at least 1.
    ///   - keyLimit: The number of keys to count; further ones are counted under `other`, so that hostile keys cost no
    ///     memory.
    ///   - next: Receives the sample.
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
                let parts = [report.endpoint?.name, side, issue.groupingKey, issue.fault]
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

extension MappingIssue {
    /// What has caused the issue, without anything that differs from call to call.
    fileprivate var fault: String? { causes.first?.groupingKey ?? (underlyingError as? any FaultNaming)?.fault }
}

/// An error that names its kind of fault in a few words that are the same for each call: `status 503`, `timed out`.
protocol FaultNaming: Error {
    var fault: String { get }
}

extension CountingReporter: Redacted {
    /// The number of grouping keys.
    public var description: String { "\(typeName(Self.self))(\(counts.count) grouping keys)" }
}

extension TransportError: FaultNaming {
    var fault: String { kind.description }
}
