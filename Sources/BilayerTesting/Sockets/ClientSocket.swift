#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The connection has ended, because the client or a reply ended it, or because the server was stopped. The error is
/// not reported.
struct ConnectionOver: Error {}

/// The server's end of a connection. Every wait ends when `stop` is raised.
struct ClientSocket: Sendable {
    let descriptor: Descriptor
    private let stop: Signal
    var encryption: TLSConnection?

    init(_ descriptor: Descriptor, stop: Signal) {
        self.descriptor = descriptor
        self.stop = stop
        descriptor.makeNonblocking()
        setOption(Int32(TCP_NODELAY), at: Int32(IPPROTO_TCP), on: descriptor)
        #if canImport(Darwin)
        setOption(SO_NOSIGPIPE, at: SOL_SOCKET, on: descriptor)
        #endif
    }

    /// Returns the next bytes from the client. Returns an empty array when the client has sent everything.
    func receive() throws -> [UInt8] {
        if let encryption { return try receive(by: encryption) }
        while true {
            var failed = false
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
                // Bound: the count that is passed with the address is the buffer's own.
                let received = unsafe recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
                failed = received < 0
                count = max(received, 0)
            }
            if !failed { return bytes }
            try waitUntil(.readable(descriptor))
        }
    }

    /// Sends all bytes.
    func send(_ bytes: [UInt8]) throws {
        if let encryption { return try send(bytes, by: encryption) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes { buffer in
                // Bound: the count that is passed with the address is the buffer's own.
                unsafe sendWithoutSignal(descriptor.number, buffer.baseAddress, buffer.count)
            }
            if sent >= 0 { rest = rest.dropFirst(sent) } else { try waitUntil(.writable(descriptor)) }
        }
    }

    /// Waits until a deadline, or until `gate` is raised. Throws at once if the client closes the connection; on Darwin
    /// possibly only if the client resets it. If the server is stopped during the wait, the connection is reset,
    /// because a client could take an orderly end for the end of a whole reply.
    func pause(until deadline: ContinuousClock.Instant?, orUntil gate: Signal? = nil) throws {
        let interests: [Interest] = [.raised(stop), .hungUp(descriptor)] + (gate.map { [.raised($0)] } ?? [])
        guard let place = try firstReady(of: interests, until: deadline), place < 2 else { return }
        if place == 0 { resetOnClose() }
        throw ConnectionOver()
    }

    /// Makes the next close a reset (RST) instead of an orderly end (FIN).
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        // Bound: the size that is passed with the value is the value's own.
        _ = unsafe setsockopt(
            descriptor.number,
            SOL_SOCKET,
            SO_LINGER,
            &option,
            socklen_t(MemoryLayout<linger>.size)
        )
    }

    /// Closes the connection in order: shuts down sending, then reads the remaining bytes of the client, for at most a
    /// second. Closing a socket that has unread bytes would be a reset, and the client could lose the end of the
    /// response.
    /// - Parameter withAlert: Whether a connection with TLS sends the closing alert.
    func finish(withAlert: Bool = true) {
        if withAlert { encryption?.shutDown() }
        _ = shutdown(descriptor.number, Int32(SHUT_WR))
        let deadline = ContinuousClock.now + .seconds(1)
        while let place = try? firstReady(of: [.raised(stop), .readable(descriptor)], until: deadline), place == 1 {
            guard let bytes = try? receive(), !bytes.isEmpty else { return }
        }
    }

    private func waitUntil(_ interest: Interest) throws {
        guard isTemporaryFailure else { throw ConnectionOver() }
        try wait(for: interest)
    }

    func wait(for interest: Interest) throws {
        guard try firstReady(of: [.raised(stop), interest]) == 1 else { throw ConnectionOver() }
    }
}

/// Calls `send` so that a broken connection raises no SIGPIPE.
private func sendWithoutSignal(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
    // Bound: the caller's. SO_NOSIGPIPE is set on the socket.
    unsafe send(number, bytes, count, 0)
    #else
    // Bound: the caller's.
    unsafe send(number, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
