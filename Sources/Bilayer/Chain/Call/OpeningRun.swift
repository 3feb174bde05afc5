/// The run of a pipeline that opens the connection of a stream, a download or a WebSocket.
struct OpeningRun {
    /// Whether the call has opened a connection before.
    let isRepeated: Bool
    private var hasBegun = false

    init(isRepeated: Bool) { self.isRepeated = isRepeated }

    /// The value for the next run that begins: first the run that opens the connection. Runs inside of it, which belong
    /// to its nodes, have none.
    var begun: OpeningRun? {
        if hasBegun { return nil }
        var run = self
        run.hasBegun = true
        return run
    }
}

/// A run that failed to open the connection. Its issues are reported at the end of the call, unless the connection is
/// opened again.
struct FailedOpening {
    /// The side of the stage that failed.
    let side: MappingReport.Side
    let session: MappingSession
    let call: ReportedCall
}
