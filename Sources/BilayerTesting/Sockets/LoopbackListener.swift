#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A socket that listens on 127.0.0.1. The system chooses its port.
struct LoopbackListener: Sendable {
    let port: UInt16
    private let descriptor: Descriptor

    init() throws {
        let descriptor = try Descriptor(adopting: socket(AF_INET, streamType, 0), from: "socket")
        descriptor.makeNonblocking()
        setOption(SO_REUSEADDR, at: SOL_SOCKET, on: descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Bound: the size that is passed with the address is the address's own, here and below.
        let bound = unsafe withAddress(&address) { unsafe bind(descriptor.number, $0, $1) }
        guard bound == 0 else { throw SystemError("bind") }
        guard listen(descriptor.number, SOMAXCONN) == 0 else { throw SystemError("listen") }
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let named = unsafe withAddress(&address) { pointer, _ in unsafe getsockname(descriptor.number, pointer, &size) }
        guard named == 0 else { throw SystemError("getsockname") }
        self.descriptor = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    /// Waits for the next client.
    /// - Returns: The socket of the connection; `nil` when `stop` is raised.
    /// - Throws: ``SystemError`` if the system cannot wait or accept.
    func nextClient(unless stop: Signal) throws -> Descriptor? {
        while try firstReady(of: [.raised(stop), .readable(descriptor)]) == 1 {
            let number = accept(descriptor.number, nil, nil)
            if number < 0 {
                // If the client closed its connection before it was accepted, the loop waits for the next client.
                if isTemporaryFailure || errno == ECONNABORTED { continue }
                throw SystemError("accept")
            }
            return try Descriptor(adopting: number, from: "accept")
        }
        return nil
    }

    /// Refuses clients from now on. On Darwin this happens only when the descriptor is closed.
    func refuse() { _ = shutdown(descriptor.number, Int32(SHUT_RDWR)) }
}

/// Sets an option of a socket to 1.
func setOption(_ option: Int32, at level: Int32, on descriptor: Descriptor) {
    var enabled: Int32 = 1
    // Bound: the size that is passed with the value is the value's own.
    _ = unsafe setsockopt(descriptor.number, level, option, &enabled, socklen_t(MemoryLayout<Int32>.size))
}

private var streamType: Int32 {
    #if canImport(Darwin) || canImport(Musl)
    SOCK_STREAM
    #else
    Int32(SOCK_STREAM.rawValue)
    #endif
}

/// Passes an IPv4 address to a function that takes a generic socket address.
private func withAddress(
    _ address: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Bound: both structures have 16 bytes, and the size is passed on.
    return unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
    }
}
