/// The promises that every transport must keep, checked row by row over real sockets.
///
/// Run the checks for an app's own transport:
///
/// ```swift
/// let report = try await TransportConformance.run(
///     URLSessionTransport(), skipping: TransportConformance.endsURLSession)
/// print(report)                                        // one line for each row
/// #expect(report.deviations.isEmpty)
/// ```
public enum TransportConformance {
    /// The names of the rows that end the process if `URLSessionTransport` runs them on Linux. Run them in a child
    /// process.
    public static let endsURLSession: Set<String> = ["a close inside the head", "trailers are ignored"]
}
