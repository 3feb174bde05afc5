/// One event of a call, with its time. An event is a note of a stage or a middleware. If the call has an observer, the
/// steps of the call are events, too.
///
/// The ``text`` of an event contains no payload values, provided that the notes of the app have none. The request or
/// response in its ``kind`` is complete, for observers that need it.
public struct CallEvent: Sendable {
    /// The kind of an event.
    public enum Kind: Sendable {
        /// A stage or a middleware has written a note: ``CallContext/note(_:)``.
        case note(String)
        /// The call has begun.
        case began
        /// A stage has ended, with its error if it failed.
        case stageEnded(CallStage, failure: (any Error)?)
        /// A transport sends a request: the first attempt, a further attempt, or a request that follows a redirect.
        case sent(HTTPRequest)
        /// A transport has returned a response. For a stream and a download it is the head of the response.
        case received(HTTPResponse)
        /// A transport has failed, also in the middle of a stream, a download or a WebSocket.
        case lost(any Error)
        /// The call has ended, with its error if it failed. This is the call's last event. For a stream and a download
        /// the event comes after the last byte, or with a `CancellationError` if the reader leaves before. For a
        /// WebSocket the event comes with the end of the loop or ``WebSocket/close(_:reason:)``, or with a
        /// `CancellationError` if the socket is released.
        case ended(CallMetrics, failure: (any Error)?)
    }

    /// The time from the call's start to the event, by the system's clock, not by ``Client/clock``.
    public let time: Duration
    /// The kind of the event.
    public let kind: Kind

    /// The event in words, on one line.
    public var text: String { kind.description }
}

extension CallEvent.Kind: Redacted {
    /// The event in words, on one line.
    public var description: String {
        switch self {
        case .note(let text): text
        case .began: "began"
        case .stageEnded(let stage, nil): "\(stage) ended"
        case .stageEnded(let stage, _): "\(stage) failed"
        case .sent(let request): "sent \(request)"
        case .received(let response): "received \(response)"
        case .lost(let error): "lost: \(describeForeign(error))"
        case .ended(let metrics, nil): "ended: \(metrics)"
        case .ended(let metrics, let error?): "\(error is CancellationError ? "cancelled" : "failed"): \(metrics)"
        }
    }
}

extension CallEvent: Redacted {
    /// The time and the text, for example `0.012 s took 11 ms`.
    public var description: String { "\(time.formattedSeconds) \(text)" }
}
