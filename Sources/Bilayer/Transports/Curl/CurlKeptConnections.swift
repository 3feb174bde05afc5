#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The connections of a transport, to find bytes on a kept one that are no response.
///
/// Such bytes are not the response to the next request (RFC 9112 §6.3): a 408 of a server that ends an idle connection,
/// or the body of a `HEAD`. Older versions of libcurl, 7.88 for one, would take them for it. So a connection is
/// looked at once more right before a request is sent on it. The engine's thread alone uses this.
final class CurlKeptConnections {
    /// The two ports of a connection, as libcurl reports them.
    struct Ports: Hashable {
        let local: Int32
        let peer: Int32
    }

    private struct Connection {
        let descriptor: Int32
        /// Whether a response of HTTP/1 has come over it. On a connection of HTTP/2 bytes may come at any time, and the
        /// last part of a TLS handshake may come after the first request.
        var hasAnswered = false
    }

    /// At most one for each local port and peer.
    private var connections: [Ports: Connection] = [:]

    /// Adds the new connection of one of some sockets.
    func add(_ ports: Ports, of sockets: [Int32]) {
        guard let descriptor = sockets.last(where: { localPort(of: $0) == ports.local }) else { return }
        if connections.count >= Self.most {
            connections = connections.filter { localPort(of: $1.descriptor) == $0.local }
        }
        connections[ports] = Connection(descriptor: descriptor)
    }

    private static let most = 2_000

    /// A whole response of HTTP/1 has come over a connection.
    func noteResponse(over ports: Ports) { connections[ports]?.hasAnswered = true }

    /// Whether bytes, or the end, have come over a connection that no request is sent on.
    func hasBytes(on ports: Ports) -> Bool {
        guard let kept = connections[ports], kept.hasAnswered, localPort(of: kept.descriptor) == ports.local else {
            return false
        }
        var found = pollfd(fd: kept.descriptor, events: Int16(POLLIN), revents: 0)
        // Bound: the call reads and writes one record, and does not wait.
        return unsafe poll(&found, 1, 0) > 0
    }
}

/// The port of this machine that a socket of IP uses; `nil` for other descriptors, and those that are closed.
private func localPort(of descriptor: Int32) -> Int32? {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    // Bound: the call writes at most as many bytes as the size says.
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &size) }
    }
    // Family and port are at the same place in the addresses of both versions.
    guard result == 0, [AF_INET, AF_INET6].contains(Int32(address.sin6_family)) else { return nil }
    return Int32(UInt16(bigEndian: address.sin6_port))
}
#endif
