#if os(Linux)
import Foundation

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

extension URL {
    /// Whether the host is this machine, by its usual names and by its addresses in every form that libcurl accepts:
    /// `127.1`, `0x7f000001`, `0:0:0:0:0:0:0:1`, `::ffff:127.0.0.1`.
    var isLoopback: Bool {
        guard var host = host()?.lowercased() else { return false }
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host.hasSuffix(".") { host.removeLast() }
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        var address = in_addr()
        // Bound: the text has a zero byte at its end, and the call writes one address.
        if unsafe inet_aton(host, &address) != 0 { return UInt32(bigEndian: address.s_addr) >> 24 == 127 }
        var bytes = [UInt8](repeating: 0, count: 16)
        // Bound: an address of IPv6 has 16 bytes.
        guard unsafe inet_pton(AF_INET6, host, &bytes) == 1, bytes[..<10].allSatisfy({ $0 == 0 }) else { return false }
        let isMapped = bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? bytes[12] == 127 : bytes[10...] == [0, 0, 0, 0, 0, 1]
    }
}
#endif
