#if os(Linux)
import Foundation

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The thread of an engine: begins exchanges, runs their transfers, ends them. An exchange is a request with its
/// response; its transfer is libcurl's work for it.
final class CurlLoop {
    /// An exchange whose transfer has begun.
    private struct Running {
        let exchange: CurlExchange
        let handle: CurlHandle
    }

    private let engine: CurlEngine
    private let clock = CurlClock()
    private var queue: CurlConnectionQueue
    /// The running exchanges, by the ids of their handles.
    private var active: [UInt: Running] = [:]
    /// Handles of ended transfers, which further transfers use again.
    private var idle: [CurlHandle] = []
    /// The open WebSockets, whose transfers have ended.
    private var sockets = CurlSockets()
    private let connections = CurlKeptConnections()
    private var isStopping = false
    /// The time of the next check of time limits. No exchange can reach its time limit before that time.
    private var nextCheck = ContinuousClock.now + longestWait

    init(_ engine: CurlEngine) {
        self.engine = engine
        queue = CurlConnectionQueue(limit: engine.connectionsPerHost)
    }

    /// Runs until the engine is stopped, and the last exchange and the last WebSocket have ended.
    func run() {
        blockBrokenPipes()
        while true {
            clock.update()
            for command in engine.takeCommands() { obey(command) }
            if isStopping, active.isEmpty, sockets.isEmpty, engine.end() { break }
            let reading = perform()
            while let (id, code) = engine.multi.nextEnded() { finish(id, code) }
            if let reading { endAnsweredUploads(reading) }
            tendSockets()
            checkTimeLimits()
            for socket in engine.multi.wait(for: sockets.waits, atMost: waitInMilliseconds) { sockets.markDue(socket) }
        }
        idle = []
        engine.multi.close()
    }

    /// Advances all transfers.
    /// - Returns: The descriptors on which libcurl waits for bytes; `nil` if no upload waits for bytes of its source.
    private func perform() -> CurlReads? {
        if !isAnyStarved { engine.multi.perform() }
        // An upload that waits already needs one pass only.
        return isAnyStarved ? engine.multi.performFindingReads() : nil
    }

    private var isAnyStarved: Bool { active.values.contains(where: \.exchange.isStarved) }

    private func obey(_ command: CurlEngine.Command) {
        switch command {
        case .start(let exchange):
            if exchange.isWaitedFor, queue.enter(exchange) { begin([exchange]) }
        case .goOn(let exchange):
            guard let running = running(exchange) else { return }
            exchange.endPause()
            nextCheck = min(nextCheck, clock.now + exchange.timeout)
            running.handle.goOn()
        case .cancel(let exchange):
            exchange.end(CurlExchange.cancelled)
            if let running = running(exchange) {
                drop(running)
            } else {
                queue.remove(exchange)
            }
        case .tend(let channel): sockets.markDue(channel)
        case .stop: isStopping = true
        }
    }

    /// Begins exchanges that have a permit of the queue. If one fails, the next waiting exchange gets its permit.
    private func begin(_ exchanges: [CurlExchange]) {
        var exchanges = exchanges
        while !exchanges.isEmpty {
            let exchange = exchanges.removeFirst()
            do {
                try begin(exchange)
            } catch {
                exchange.end(CurlExchange.Outcome(result: .failure(error), metrics: nil))
                exchanges += queue.leave(exchange, isMultiplexed: nil)
            }
        }
    }

    /// Starts the transfer of an exchange.
    /// - Throws: ``TransportError`` if the transfer cannot start. The caller then ends the exchange.
    private func begin(_ exchange: CurlExchange) throws(TransportError) {
        guard let handle = idle.popLast() ?? CurlHandle(engine.library) else {
            throw TransportError(.other, detail: "libcurl has no memory for a transfer")
        }
        do {
            try CurlRequest(exchange.request, engine.settings, engine.library.version).set(on: handle)
        } catch {
            put(back: handle)
            throw error
        }
        // An older libcurl does not report that it sends a request a second time. On a new connection, it never sends
        // the request a second time.
        let isUnsafeOnKept = engine.library.version < .prerequests && exchange.connection.obstacle != nil
        if exchange.connection.needsAnother || isUnsafeOnKept { handle.set(.freshConnection, 1) }
        exchange.connection.reset()
        handle.setReceiver(exchange)
        guard engine.multi.add(handle) else {
            put(back: handle)
            throw TransportError(.other, detail: "libcurl cannot begin a transfer")
        }
        exchange.transfer = handle.id
        exchange.clock = clock
        exchange.connection.kept = connections
        exchange.findClosingAlert = { handle.hasClosingAlert }
        active[handle.id] = Running(exchange: exchange, handle: handle)
        nextCheck = min(nextCheck, clock.now + exchange.timeout)
    }

    /// Ends the uploads that wait for bytes of their source, if nothing more will be received because the response is
    /// complete or the server has closed the connection.
    /// - Parameter reading: The descriptors on which libcurl waits for bytes.
    private func endAnsweredUploads(_ reading: CurlReads) {
        let starved = active.values.filter(\.exchange.isStarved)
        for (exchange, handle) in starved.map({ ($0.exchange, $0.handle) })
        where exchange.hasEndedReceiving(received: handle.number(.bytesReceived), reading: reading) {
            exchange.endUpload()
            nextCheck = min(nextCheck, clock.now + exchange.timeout)
            handle.goOn()
        }
    }

    /// Ends an exchange whose transfer has ended. If its request was not sent, sends the request on a new connection.
    /// - Parameters:
    ///   - id: The id of the transfer's handle.
    ///   - found: The result of libcurl.
    private func finish(_ id: UInt, _ found: CurlCode) {
        guard let running = active[id] else { return }
        let (exchange, handle) = (running.exchange, running.handle)
        let received = handle.number(.bytesReceived)
        let code = exchange.code(for: found, received: received)
        // The request was not sent, because the kept connection could not be used. It is sent on a new connection.
        if exchange.connection.needsAnother, code != .ok {
            remove(running)
            return begin([exchange])
        }
        let result = exchange.result(
            of: code,
            text: code == .ok ? "" : engine.library.text(of: code),
            received: received,
            proxyStatus: code == .ok ? 0 : handle.number(.connectStatus),
            hasAlert: code != .ok && handle.hasAlert,
            encodings: engine.library.encodings
        )
        let metrics = TransferMetrics(handle)
        if exchange.request.opensWebSocket, code == .ok, case .success = result {
            let socket = open(running)
            return exchange.end(CurlExchange.Outcome(result: result, metrics: metrics, socket: socket))
        }
        release(running)
        exchange.end(CurlExchange.Outcome(result: result, metrics: metrics))
    }

    /// Keeps the connection of an exchange as a WebSocket.
    private func open(_ running: Running) -> CurlWebSocket {
        let (exchange, handle) = (running.exchange, running.handle)
        active[handle.id] = nil
        exchange.transfer = nil
        begin(queue.leave(exchange, isMultiplexed: nil))
        let channel = CurlChannel { [weak engine] channel in engine?.tend(channel) }
        sockets.add(CurlSockets.Socket(handle, channel, exchange))
        return CurlWebSocket(channel)
    }

    /// Sends and receives on the WebSockets without waiting, and closes the connections that have ended.
    private func tendSockets() {
        for socket in sockets.tend(at: clock.now) { engine.multi.remove(socket.handle) }
    }

    /// Ends the transfer of an exchange that no call waits for any more.
    ///
    /// Older versions of libcurl would wait here for a name look-up in progress, and block all other transfers. With
    /// these versions, the transfer is kept until its look-up is over.
    private func drop(_ running: Running) {
        let isKept = engine.library.version < .quickExit && running.exchange.lastProgress != nil
        if isKept, running.handle.isLookingUp {
            running.exchange.isAbandoned = true
            nextCheck = min(nextCheck, clock.now + abandonedWait)
        } else {
            release(running)
        }
    }

    private func running(_ exchange: CurlExchange) -> Running? { exchange.transfer.flatMap { active[$0] } }

    /// Removes a transfer, and begins the exchanges that waited for its permit.
    private func release(_ running: Running) {
        let exchange = running.exchange
        let version = running.handle.number(.httpVersion)
        if let ports = exchange.connection.ports, (1...2).contains(version) { connections.recordResponse(over: ports) }
        remove(running)
        begin(queue.leave(exchange, isMultiplexed: version == 0 ? nil : version >= 3))
    }

    /// Removes a transfer from libcurl, and keeps its handle. The exchange keeps its permit.
    private func remove(_ running: Running) {
        active[running.handle.id] = nil
        running.exchange.transfer = nil
        running.exchange.findClosingAlert = nil
        engine.multi.remove(running.handle)
        put(back: running.handle)
    }

    /// Keeps a handle for the next transfer, unless there are enough, or this version's handles cannot be reused.
    private func put(back handle: CurlHandle) {
        let version = engine.library.version
        guard version < .keptFields || version >= .cleanHandles else { return }
        handle.reset()
        if idle.count < mostIdleHandles { idle.append(handle) }
    }
}

extension CurlLoop {
    /// Ends the exchanges that have waited too long for a byte.
    private func checkTimeLimits() {
        guard clock.now >= nextCheck else { return }
        nextCheck = clock.now + longestWait
        for running in Array(active.values) where running.exchange.transfer != nil {
            let exchange = running.exchange
            if exchange.isAbandoned {
                nextCheck = min(nextCheck, clock.now + abandonedWait)
                drop(running)
                continue
            }
            if exchange.isPaused { continue }
            let deadline = (exchange.lastProgress ?? clock.now) + exchange.timeout
            if deadline > clock.now {
                nextCheck = min(nextCheck, deadline)
            } else {
                let result = exchange.resultAtTimeLimit(received: running.handle.number(.bytesReceived))
                exchange.end(CurlExchange.Outcome(result: result, metrics: TransferMetrics(running.handle)))
                drop(running)
            }
        }
    }

    /// The time until the next time limit, during which the thread waits for events and commands.
    private var waitInMilliseconds: Int32 {
        if sockets.isDue { return 0 }
        let wait = clock.now.duration(to: min(nextCheck, sockets.deadline ?? nextCheck))
        guard wait > .zero else { return 0 }
        return Int32((min(wait, longestWait) / .milliseconds(1)).rounded(.up))
    }
}

/// The longest time between two checks of the time limits.
private let longestWait = Duration.seconds(60)
/// The time between two checks of whether an abandoned transfer has ended its name look-up.
private let abandonedWait = Duration.milliseconds(20)
/// The maximum number of handles that are kept for further transfers.
private let mostIdleHandles = 256
#endif
