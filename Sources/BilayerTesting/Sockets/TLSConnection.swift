#if os(Linux)
import Bilayer

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The server's end of a connection with TLS. Used by the thread of its connection alone.
@safe
// Sendable: the thread of the connection alone uses it, after it was made by the thread that accepted the client.
final class TLSConnection: @unchecked Sendable {
    /// The event that a call has to wait for.
    enum Progress {
        case done(Int)
        case waitsToRead
        case waitsToWrite
        case ended
    }

    private let openSSL: OpenSSLLibrary
    private let connection: OpenSSLLibrary.Object
    /// Stays open for as long as OpenSSL uses its number.
    private let descriptor: Descriptor

    init(_ openSSL: OpenSSLLibrary, _ connection: OpenSSLLibrary.Object, _ descriptor: Descriptor) {
        self.openSSL = openSSL
        unsafe self.connection = unsafe connection
        self.descriptor = descriptor
        // Bound: the connection is this object's own.
        _ = unsafe openSSL.setDescriptor(connection, descriptor.number)
    }

    deinit {
        // Bound: the connection is this object's own.
        unsafe openSSL.connectionFree(connection)
    }

    /// Goes on with the handshake, on the thread of the connection.
    func accept() -> Progress {
        blockBrokenPipes()
        openSSL.clearErrors()
        // Bound: the connection is this object's own, here and below.
        return progress(unsafe openSSL.accept(connection))
    }

    /// Reads what has come into the buffer.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Progress {
        openSSL.clearErrors()
        // Bound: the count that goes with the address is the buffer's own, here and below.
        return progress(unsafe openSSL.read(connection, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    func write(_ buffer: UnsafeRawBufferPointer) -> Progress {
        openSSL.clearErrors()
        return progress(unsafe openSSL.write(connection, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    /// Sends that nothing more follows, so that the client can distinguish the end from a cut (RFC 8446 §6.1).
    func shutDown() {
        openSSL.clearErrors()
        _ = unsafe openSSL.shutDown(connection)
    }

    private func progress(_ result: Int32) -> Progress {
        if result > 0 { return .done(Int(result)) }
        return switch unsafe openSSL.error(connection, result) {
        case 2: .waitsToRead
        case 3: .waitsToWrite
        // The client has said that it sends nothing more.
        case 6: .done(0)
        default: .ended
        }
    }
}
#endif
