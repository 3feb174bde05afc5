#if os(Linux)
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The connections of an engine. Finds bytes on a kept connection that belong to no response.
///
/// Such bytes are not the response to the next request (RFC 9112 §6.3). They may be a 408 response of a server that
/// ends an idle connection. They may also be a body after a response to `HEAD`, although such a response must not have
/// a body. Older versions of libcurl, for example 7.88, would read such bytes as the next response. So this object
/// checks a kept HTTP/1 connection right before a request is sent on it. libcurl calls this check from 7.80 on. Only
/// the engine's thread uses this object.
final class CurlKeptConnections {
    /// The two ports of a connection, as libcurl reports them.
    struct Ports: Hashable {
        let local: Int32
        let peer: Int32
    }

    private struct Connection {
        let descriptor: Int32
        /// Whether an HTTP/1 response has arrived over the connection, or its beginning. Other connections are not
        /// checked. On HTTP/2, bytes may arrive at any time. The last part of a TLS handshake may arrive after the
        /// first request.
        var hasAnswered = false
    }

    /// The connections by their ports.
    private var connections: [Ports: Connection] = [:]

    /// Adds a new connection, which belongs to one of the sockets.
    func add(_ ports: Ports, of sockets: [Int32]) {
        guard let descriptor = sockets.last(where: { localPort(of: $0) == ports.local }) else { return }
        if connections.count >= Self.most {
            connections = connections.filter { localPort(of: $1.descriptor) == $0.local }
        }
        connections[ports] = Connection(descriptor: descriptor)
    }

    private static let most = 2_000

    /// Records that an HTTP/1 response, or its beginning, has arrived over a connection.
    func recordResponse(over ports: Ports) { connections[ports]?.hasAnswered = true }

    /// Returns the socket of a connection; `nil` means unknown.
    func descriptor(of ports: Ports) -> Int32? {
        guard let known = connections[ports], localPort(of: known.descriptor) == ports.local else { return nil }
        return known.descriptor
    }

    /// Whether the peer has closed a connection, and all bytes before its end were read. Also true if that is unknown.
    func isClosed(_ ports: Ports) -> Bool {
        guard let descriptor = descriptor(of: ports) else { return true }
        var byte: UInt8 = 0
        // Bound: the call writes at most one byte, and does not wait.
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) == 0
    }

    /// Whether bytes or the end of the connection have arrived while the connection was idle.
    func hasBytes(on ports: Ports) -> Bool {
        guard connections[ports]?.hasAnswered == true, let descriptor = descriptor(of: ports) else { return false }
        var found = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // Bound: the call reads and writes one record, and does not wait.
        return unsafe poll(&found, 1, 0) > 0
    }
}

/// Returns the local port of an IP socket; `nil` if the descriptor is closed or is not an IP socket.
private func localPort(of descriptor: Int32) -> Int32? {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    // Bound: the call writes at most as many bytes as the size says.
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe getsockname(descriptor, $0, &size) }
    }
    // The addresses of IPv4 and IPv6 have the family and the port at the same offsets.
    guard result == 0, [AF_INET, AF_INET6].contains(Int32(address.sin6_family)) else { return nil }
    return Int32(UInt16(bigEndian: address.sin6_port))
}
#endif
