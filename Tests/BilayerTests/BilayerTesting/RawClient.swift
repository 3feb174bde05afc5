import Foundation

@testable import BilayerTesting

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A client on a bare socket: sends any text, valid HTTP or not, and sees what comes back and how the connection ends.
struct RawClient {
    /// How the server ended the connection.
    enum Ending: Equatable {
        case finished
        case reset
    }

    private let socket: ClientSocket

    init(_ server: FaultServer) throws {
        let port = UInt16(server.url.port ?? 0)
        let descriptor = try Descriptor(adopting: connected(to: port), from: "connect")
        socket = ClientSocket(descriptor, stop: try Signal())
    }

    func send(_ text: String) throws { try socket.send([UInt8](text.utf8)) }

    /// Everything up to the end of the connection, and how the connection ended.
    func readToEnd() -> (text: String, ending: Ending) {
        var bytes: [UInt8] = []
        while true {
            guard let more = try? socket.receive() else { return (text(bytes), .reset) }
            if more.isEmpty { return (text(bytes), .finished) }
            bytes += more
        }
    }

    /// The next bytes, empty at the end of the connection.
    func read() throws -> [UInt8] { try socket.receive() }

    /// Reads until the text has this suffix, for answers on a connection that stays open.
    func read(upTo suffix: String) throws -> String {
        var bytes: [UInt8] = []
        while !text(bytes).hasSuffix(suffix) {
            let more = try socket.receive()
            if more.isEmpty { break }
            bytes += more
        }
        return text(bytes)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// A GET request with the fields that every request needs.
func get(_ target: String, _ fields: String...) -> String {
    "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n"
}

private func connected(to port: UInt16) -> Int32 {
    #if canImport(Darwin) || canImport(Musl)
    let number = socket(AF_INET, SOCK_STREAM, 0)
    #else
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // Bound: both structures have the same 16 bytes, and the size is handed on.
    let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(number, $0, size) }
    }
    if result != 0 {
        _ = close(number)
        return -1
    }
    return number
}
