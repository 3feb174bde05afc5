#if os(Linux)
import Bilayer

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The server's end of a connection with TLS. Only the thread of the connection uses it.
@safe
// Sendable: the thread of the connection makes it, and only that thread uses it.
final class TLSConnection: @unchecked Sendable {
    /// The outcome of a call: done, ended, or an event to wait for.
    enum Progress {
        /// The call is done, with a number of bytes: 0 if the client has sent its closing alert.
        case done(Int)
        /// The call must be repeated when bytes have arrived.
        case waitsToRead
        /// The call must be repeated when bytes can be sent.
        case waitsToWrite
        /// The connection has ended or failed.
        case ended
    }

    private let openSSL: OpenSSLLibrary
    private let connection: OpenSSLLibrary.Object
    /// Keeps the descriptor open while OpenSSL uses its number.
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

    /// Continues the handshake on the thread of the connection.
    func accept() -> Progress {
        blockBrokenPipes()
        openSSL.clearErrors()
        // Bound: the connection is this object's own, here and below.
        return progress(unsafe openSSL.accept(connection))
    }

    /// Reads the bytes that have arrived into the buffer.
    func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Progress {
        openSSL.clearErrors()
        // Bound: the count that is passed with the address is the buffer's own, here and below.
        return progress(unsafe openSSL.read(connection, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    func write(_ buffer: UnsafeRawBufferPointer) -> Progress {
        openSSL.clearErrors()
        return progress(unsafe openSSL.write(connection, buffer.baseAddress, Int32(clamping: buffer.count)))
    }

    /// Sends the closing alert. It lets the client distinguish the end of the data from a cut connection (RFC 8446
    /// §6.1).
    func shutDown() {
        openSSL.clearErrors()
        _ = unsafe openSSL.shutDown(connection)
    }

    /// Returns the outcome of a call of OpenSSL with this result.
    private func progress(_ result: Int32) -> Progress {
        if result > 0 { return .done(Int(result)) }
        return switch unsafe openSSL.error(connection, result) {
        case 2: .waitsToRead
        case 3: .waitsToWrite
        // The client has sent its closing alert.
        case 6: .done(0)
        default: .ended
        }
    }
}
#endif
