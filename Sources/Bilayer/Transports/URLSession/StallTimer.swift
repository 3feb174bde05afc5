#if canImport(FoundationNetworking)
import Dispatch

/// Calls a closure at regular intervals. The closure ends a call that waits for its response, if nothing was sent or
/// received for an interval.
///
/// On Linux the session does not report a redirect before the redirect's body has ended, and applies no time limit to
/// that body. Sometimes it also goes on for ever with an upload that the server has answered early. The closure ends
/// such calls.
// Sendable: the source is only cancelled, which any thread may do.
final class StallTimer: @unchecked Sendable {
    private let source: any DispatchSourceTimer

    /// Starts the timer.
    /// - Parameters:
    ///   - seconds: The interval.
    ///   - ask: Called after every interval, until the timer is cancelled.
    init(every seconds: Double, _ ask: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: .global())
        source.schedule(deadline: .now() + seconds, repeating: seconds)
        source.setEventHandler(handler: ask)
        source.activate()
    }

    func cancel() { source.cancel() }
}
#endif
