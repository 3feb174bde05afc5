import Foundation

/// Counts issues by their grouping key and passes a sample on: what production wants to know is how often, not every
/// time.
///
/// An issue on the way to the server is counted under its side and its key: `request: missing $.name ProfileEntry`.
///
/// The first report with a key that was not seen before is always passed on; of the rest every `sampling`th.
///
/// ```swift
/// let counting = CountingReporter(sampling: 100, next: AnalyticsReporter())
/// client.reporter = counting
/// print(counting.counts)              // ["missing $.items[].price ItemEntry": 1042]
/// ```
public final class CountingReporter: MappingReporter, @unchecked Sendable {  // Sendable: all under `lock`.
    private let lock = NSLock()
    private let sampling: Int
    private let keyLimit: Int
    private let next: (any MappingReporter)?
    private var byKey: [String: Int] = [:]
    private var reportCount = 0

    /// Makes a reporter that has counted nothing yet.
    /// - Parameters:
    ///   - sampling: Every how many reports one is passed on; at least 1.
    ///   - keyLimit: The most keys to count; further ones are counted under `other`, so that hostile keys cost no
    ///     memory.
    ///   - next: Who gets the sample.
    public init(sampling: Int = 100, keyLimit: Int = 1_000, next: (any MappingReporter)? = nil) {
        self.sampling = max(1, sampling)
        self.keyLimit = max(1, keyLimit)
        self.next = next
    }

    /// Counts the report's issues, and passes it on if it is of the sample.
    public func report(_ report: MappingReport) {
        if count(report) { next?.report(report) }
    }

    /// How often each key was met.
    public var counts: [String: Int] { lock.withLock { byKey } }

    private func count(_ report: MappingReport) -> Bool {
        lock.withLock {
            var isNew = false
            for issue in report.issues {
                let key = report.side == .response ? issue.groupingKey : "\(report.side): \(issue.groupingKey)"
                let counted = byKey[key] == nil && byKey.count >= keyLimit ? "other" : key
                isNew = isNew || byKey[counted] == nil
                byKey[counted, default: 0] += 1
            }
            defer { reportCount += 1 }
            return isNew || reportCount.isMultiple(of: sampling)
        }
    }
}
