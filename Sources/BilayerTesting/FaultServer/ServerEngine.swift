import Bilayer
import Foundation

/// The part of a server that its threads share. Each thread retains the engine. The engine has no reference to the
/// ``FaultServer``, so the server ends when the test releases its last reference.
final class ServerEngine: Sendable {
    struct State: Sendable {
        var book = ScriptBook<RecordedRequest, Reply>()
        var requests: [RecordedRequest] = []
        /// The maximum number of bytes of a body to record.
        var keptBytes = Int.max
        /// The signal that the next ``release()`` raises. It releases the requests that arrived before that call.
        var gate: Signal
        var connections = 0
        /// The replies that the next connections receive before a request is read.
        var connectReplies: [Reply] = []
        var uploads: [UploadFault.Place: UploadFault] = [:]
        var threads = 0
        var isStopped = false
    }

    let state: Watched<State>
    let limits: RequestLimits
    /// The identity of a server with TLS; `nil` without TLS.
    let identity: TLSIdentity?
    private let listener: LoopbackListener
    private let stopping: Signal

    var port: UInt16 { listener.port }

    init(limits: RequestLimits, identity: TLSIdentity? = nil) throws {
        self.limits = limits
        self.identity = identity
        listener = try LoopbackListener()
        stopping = try Signal()
        state = Watched(State(gate: try Signal()))
    }

    func start() {
        onThread {
            // When the server can accept no further clients, it is stopped, so that new clients are refused.
            defer { self.stop() }
            while let client = try self.listener.nextClient(unless: self.stopping) { self.serve(client) }
        }
    }

    private func serve(_ client: Descriptor) {
        let socket = ClientSocket(client, stop: stopping)
        let number = state.withLock { state in
            defer { state.connections += 1 }
            return state.connections
        }
        onThread { Connection(number: number, socket: socket, server: self).serve() }
    }

    func stop() {
        state.withLock { $0.isStopped = true }
        stopping.raise()
        listener.refuse()
    }

    func release() {
        guard let next = try? Signal() else { return }
        let gate = state.withLock { state in
            defer { state.gate = next }
            return state.gate
        }
        gate.raise()
    }

    /// Records a request and returns the reply to it.
    func answer(
        for request: RecordedRequest,
        on connection: Int
    ) -> (request: RecordedRequest, reply: Reply, gate: Signal) {
        var request = request
        request.connection = connection
        let (answer, gate): (@Sendable (RecordedRequest) -> Reply, Signal) = state.withLock { state in
            request.number = state.requests.count
            state.requests.append(request.keeping(state.keptBytes))
            let place = UploadFault.Place(request.method, request.target)
            if request.isCut, let fault = state.uploads[place] {
                if let remaining = fault.remaining { state.uploads[place]?.remaining = max(remaining - 1, 0) }
                return ({ _ in fault.reply }, state.gate)
            }
            let answer = state.book.next(for: request.method, request.target)
            return (answer ?? unscripted(state.book), state.gate)
        }
        return (request, answer(request), gate)
    }

    /// Returns the reply that a new connection receives before its request is read; `nil` if none is scripted.
    func nextConnectReply() -> (reply: Reply, gate: Signal)? {
        state.withLock { $0.connectReplies.isEmpty ? nil : ($0.connectReplies.removeFirst(), $0.gate) }
    }

    private func unscripted(_ book: ScriptBook<RecordedRequest, Reply>) -> @Sendable (RecordedRequest) -> Reply {
        { .json(book.explanation(for: $0.method, $0.target), status: 404) }
    }

    /// Runs work on a new thread. The work blocks, so it must not run on the concurrent pool.
    private func onThread(_ work: @escaping @Sendable () throws -> Void) {
        state.withLock { $0.threads += 1 }
        Thread.detachNewThread {
            // After an error, the thread ends and the connection is closed.
            try? work()
            self.state.withLock { $0.threads -= 1 }
        }
    }
}
