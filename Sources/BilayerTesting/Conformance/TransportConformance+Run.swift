public import Bilayer

extension TransportConformance {
    /// All rows, in the order in which they run.
    public static let rows: [Row] = answerRows + requestRows + redirectRows + faultRows + connectionRows + cancelRows

    /// Runs the rows, one after the other.
    /// - Parameters:
    ///   - transport: The transport. Its limit for bodies must be at least 2 MB.
    ///   - skipped: The names of the rows that are not run.
    ///   - limit: The time limit of each row.
    ///   - clock: The clock that measures the limit.
    /// - Returns: The outcome of each row.
    /// - Throws: `CancellationError` if the calling task was cancelled.
    public static func run(
        _ transport: some Node<HTTPRequest, HTTPResponse>,
        skipping skipped: Set<String> = [],
        within limit: Duration = .seconds(60),
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Report {
        let transport = transport.erased()
        var results: [Report.Line] = []
        for row in rows {
            try Task.checkCancellation()
            let isSkipped = skipped.contains(row.name)
            let outcome = isSkipped ? .skipped : await row.check(transport, within: limit, clock: clock)
            results.append(Report.Line(row: row.name, outcome: outcome))
        }
        try Task.checkCancellation()
        return Report(lines: results)
    }
}
