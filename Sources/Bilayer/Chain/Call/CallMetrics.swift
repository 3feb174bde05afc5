/// The figures of a call, for an observer (``CallObserver``).
public struct CallMetrics: Sendable, Hashable {
    /// The time from the call's start to its end, by the system's clock, not by ``Client/clock``.
    public internal(set) var duration = Duration.zero
    /// The number of requests that were sent, redirects included. 0 if a stored response was used without a request, or
    /// if the call joined the request of another call (``Deduplication``, ``OperationBatching``).
    public internal(set) var attempts = 0
    /// The number of body bytes of all requests. Bodies of unknown length are not counted.
    public internal(set) var sentBytes = 0
    /// The number of body bytes received, after decompression. Counts complete responses, and the part of a stream or a
    /// download that has arrived.
    public internal(set) var receivedBytes = 0
    /// How long each stage took. For a stream, a download and a WebSocket, the stages until the first connection was
    /// open: the mapping of elements and messages, and later openings, are not included.
    public internal(set) var stages: [CallStage: Duration] = [:]
    private var stageStart = Duration.zero
    /// The bytes of the last complete response, which ``receivedBytes`` already counts.
    private var lastBytes = 0
    /// The bytes of the response whose body is read as chunks that ``receivedBytes`` already counts. The call reads the
    /// body of a stream or a download as chunks, even if the transport returned it whole.
    private var unreadBytes = 0

    package init() {}

    /// Counts an event.
    mutating func count(_ kind: CallEvent.Kind, at time: Duration) {
        switch kind {
        case .began: stageStart = time
        case .stageEnded(let stage, _):
            stages[stage] = time - stageStart
            stageStart = time
        case .sent(let request):
            attempts += 1
            lastBytes = 0
            sentBytes += request.body?.length ?? 0
        case .received(let response):
            receivedBytes += response.body.count
            lastBytes = response.body.count
        case .ended: (stageStart, lastBytes, unreadBytes) = (.zero, 0, 0)
        case .note, .lost: break
        }
    }

    /// Begins to count the chunks of the last response. Requests that nodes send for its elements change nothing.
    mutating func beginChunks() { (unreadBytes, lastBytes) = (lastBytes, 0) }

    /// Counts a chunk of a stream or a download.
    mutating func countChunk(_ bytes: Int) {
        let counted = min(unreadBytes, bytes)
        unreadBytes -= counted
        receivedBytes += bytes - counted
    }
}

extension CallMetrics: Redacted {
    /// The figures on one line: `0.120 s, 2 attempts, 18 B sent, 18.4 kB received`.
    public var description: String {
        let requests = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
        let bytes = [(sentBytes, "sent"), (receivedBytes, "received")].filter { $0.0 > 0 }
            .map { ", \(byteCountText($0.0)) \($0.1)" }
        return "\(duration.formattedSeconds), \(requests)\(bytes.joined())"
    }
}
