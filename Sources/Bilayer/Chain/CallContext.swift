public import Foundation

/// What every node of a call is handed beside its input: who is calling, when, and where to leave a note.
///
/// A context is a small value over one shared record: copies belong to the same call, and what one stage notes the others and
/// the error can read. It travels as an argument, never as a task-local value, so a detached task keeps it.
public struct CallContext: Sendable {
    /// The call's own id, for logs on both sides of the wire.
    public let id: UUID
    /// The clock that every wait of the call uses; tests bring their own.
    public let clock: any Clock<Duration>
    let record: CallRecord

    /// Makes the context of a new call.
    /// - Parameters:
    ///   - id: The call's id.
    ///   - clock: The clock that waits use.
    public init(id: UUID = UUID(), clock: any Clock<Duration> = ContinuousClock()) {
        self.id = id
        self.clock = clock
        record = CallRecord()
    }
}

extension CallContext {
    /// Notes a request right before it goes on the wire, so that an error can name what was really sent.
    func recordSent(_ request: HTTPRequest) { record.sentRequest = request }
}
