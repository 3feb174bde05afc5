// Connections with TLS. Only on Linux, where OpenSSL is available.
#if os(Linux)
extension ClientSocket {
    /// Performs the TLS handshake.
    /// - Returns: A socket that encrypts the bytes it sends and decrypts those it receives.
    /// - Throws: ``ConnectionOver`` if the client refuses the handshake, does not use TLS or closes the connection, or
    ///   if the server is stopped. ``FaultServerError`` if OpenSSL cannot make a connection. ``SystemError`` if the
    ///   system cannot wait.
    func secured(by identity: TLSIdentity) throws -> ClientSocket {
        var secured = self
        let connection = try identity.connection(over: descriptor)
        secured.encryption = connection
        _ = try secured.finish { connection.accept() }
        return secured
    }

    func receive(by connection: TLSConnection) throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
            // Bound: passed on.
            count = try finish { unsafe connection.read(into: buffer) }
        }
    }

    func send(_ bytes: [UInt8], by connection: TLSConnection) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            // Bound: passed on.
            let sent = try finish { unsafe rest.withUnsafeBytes { unsafe connection.write($0) } }
            rest = rest.dropFirst(sent)
        }
    }

    /// Repeats a call until it no longer has to wait.
    private func finish(_ call: () -> TLSConnection.Progress) throws -> Int {
        while true {
            switch call() {
            case .done(let count): return count
            case .waitsToRead: try wait(for: .readable(descriptor))
            case .waitsToWrite: try wait(for: .writable(descriptor))
            case .ended: throw ConnectionOver()
            }
        }
    }
}
#else
/// A placeholder: connections with TLS are not available on this platform.
struct TLSConnection: Sendable {
    func shutDown() {}
}

extension ClientSocket {
    func receive(by connection: TLSConnection) throws -> [UInt8] { throw ConnectionOver() }
    func send(_ bytes: [UInt8], by connection: TLSConnection) throws { throw ConnectionOver() }
}
#endif
