#if os(Linux)
import Foundation

/// Passes calls from any thread to the one thread that runs the engine's transfers. A transport has one engine for
/// exchanges, and a second one for WebSockets.
///
/// The thread starts with the first exchange. It ends after ``stop()``, when the last exchange and the last WebSocket
/// have ended.
final class CurlEngine: Sendable {
    /// The commands to the thread.
    enum Command {
        /// Begin an exchange, or let it wait for a connection.
        case start(CurlExchange)
        /// End an exchange whose call was cancelled.
        case cancel(CurlExchange)
        /// Continue an exchange that has room for bytes again, or has bytes to send.
        case goOn(CurlExchange)
        /// Handle a channel to which a task has added a frame to send, or in which a task has made room for messages.
        case tend(CurlChannel)
        /// End the thread when the last exchange and the last WebSocket have ended.
        case stop
    }

    private struct Mailbox {
        enum Thread {
            case notStarted
            case running
            case ended
        }

        var commands: [Command] = []
        var thread = Thread.notStarted
    }

    let library: CurlLibrary
    let settings: CurlSettings
    let multi: CurlMulti
    /// The largest number of connections to one origin. An HTTP/2 connection carries several exchanges at a time.
    let connectionsPerHost: Int
    private let mailbox = Locked(Mailbox())

    /// Makes an engine. Its thread has not started yet.
    /// - Throws: ``CurlUnavailableError`` if libcurl has no memory or no descriptor for it.
    init(
        _ library: CurlLibrary,
        _ settings: CurlSettings,
        limitsConnections: Bool = true
    ) throws(CurlUnavailableError) {
        self.library = library
        self.settings = settings
        multi = try CurlMulti(library)
        connectionsPerHost = limitsConnections ? settings.connectionsPerHost : Int.max
        guard limitsConnections else { return }
        multi.set(.connectionsPerHost, max(settings.connectionsPerHost, 1))
        multi.set(.connections, max(settings.connections, 1))
        multi.set(.connectionsKept, max(settings.connections, 1))
    }

    /// Begins an exchange, or ends it at once if the engine's thread has ended.
    func start(_ exchange: CurlExchange) {
        if send(.start(exchange)) { return }
        exchange.end(CurlExchange.Outcome(result: .failure(CancellationError()), metrics: nil))
    }

    func cancel(_ exchange: CurlExchange) { _ = send(.cancel(exchange)) }

    func goOn(_ exchange: CurlExchange) { _ = send(.goOn(exchange)) }

    func tend(_ channel: CurlChannel) { _ = send(.tend(channel)) }

    func stop() { _ = send(.stop) }

    /// Passes a command to the thread. Waking the thread costs a system call, so only the first command after
    /// ``takeCommands()`` wakes it.
    /// - Returns: Whether the thread gets the command.
    private func send(_ command: Command) -> Bool {
        mailbox.withLock { mailbox in
            if mailbox.thread == .ended { return false }
            mailbox.commands.append(command)
            if mailbox.thread == .running {
                if mailbox.commands.count == 1 { multi.wake() }
            } else if case .start = command {
                mailbox.thread = .running
                startThread()
            }
            return true
        }
    }

    /// Returns all commands since the last call, in order.
    func takeCommands() -> [Command] {
        mailbox.withLock { mailbox in
            defer { mailbox.commands = [] }
            return mailbox.commands
        }
    }

    /// Ends the thread unless there are commands.
    /// - Returns: Whether the thread may end. If so, it gets no further command.
    func end() -> Bool {
        mailbox.withLock { mailbox in
            guard mailbox.commands.isEmpty else { return false }
            mailbox.thread = .ended
            return true
        }
    }

    private func startThread() {
        let thread = Thread { CurlLoop(self).run() }
        thread.name = "bilayer-curl"
        // The size is enough for TLS handshakes, which make the deepest calls.
        thread.stackSize = 512 * 1024
        thread.start()
    }
}
#endif
