#if os(Linux)
import Foundation

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The functions that libcurl calls during a transfer, on the engine's thread.
enum CurlCallbacks {
    /// Receives a part of the response's body, decompressed.
    static let write: CurlLibrary.DataCallback = { bytes, size, count, receiver in
        let exchange = unsafe exchange(receiver)
        // Bound: libcurl passes `size * count` bytes, which stay valid until this closure returns.
        let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return switch unsafe exchange.receive(body: part) {
        case .taken: size * count
        case .later: CurlConstant.pausesWriting
        case .refused: 0
        }
    }

    /// Receives a line of a head or a trailer, with its line end.
    static let header: CurlLibrary.DataCallback = { bytes, size, count, receiver in
        let exchange = unsafe exchange(receiver)
        // Bound: libcurl passes `size * count` bytes, which stay valid until this closure returns.
        let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
        return unsafe exchange.receive(line: String(line: line), count: line.count) ? size * count : 0
    }

    /// Takes the next bytes of the request's body.
    static let read: CurlLibrary.DataCallback = { bytes, size, count, receiver in
        let exchange = unsafe exchange(receiver)
        // Bound: libcurl passes room for `size * count` bytes.
        if exchange.endsUpload() { return CurlConstant.abortsReading }
        let room = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return switch unsafe exchange.fill(room) {
        case .bytes(let count): count
        case .none: CurlConstant.pausesReading
        case .end: 0
        case .failure: CurlConstant.abortsReading
        }
    }

    /// Moves to another position of the request's body, so that libcurl can send the body again. Returns 0 if the body
    /// can be sent from that position, otherwise 1.
    static let seek: CurlLibrary.SeekCallback = { receiver, offset, origin in
        let exchange = unsafe exchange(receiver)
        return origin == SEEK_SET && exchange.rewind(to: Int(offset)) ? 0 : 1
    }

    /// Receives the progress of the transfer. libcurl calls this function often while it makes or uses a connection for
    /// the transfer. A result other than 0 ends the transfer.
    static let progress: CurlLibrary.ProgressCallback = { receiver, _, received, _, sent in
        let exchange = unsafe exchange(receiver)
        return exchange.advance(received: received, sent: sent) ? 0 : 1
    }

    /// Records a new socket, and prevents programs that the process starts from inheriting it.
    static let socket: CurlLibrary.SocketCallback = { receiver, descriptor, _ in
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unsafe exchange(receiver).connection.sockets.append(descriptor)
        return 0
    }

    /// Called right before the request is sent on a connection. A result other than 0 ends the transfer without sending
    /// the request.
    static let prerequest: CurlLibrary.PrerequestCallback = { receiver, _, _, peerPort, localPort in
        let exchange = unsafe exchange(receiver)
        return exchange.begin(on: CurlKeptConnections.Ports(local: localPort, peer: peerPort)) ? 0 : 1
    }

    /// Changes the TLS settings of a new connection. With them, the end of the connection without the closing alert is
    /// an error (RFC 9112 §9.8).
    static let tls: CurlLibrary.TLSSetupCallback = { _, settings, _ in
        guard let library = try? CurlLibrary.shared.get(), let settings = unsafe settings else { return 0 }
        // Bound: libcurl passes the `SSL_CTX` of OpenSSL. The function is set only if libcurl uses OpenSSL.
        _ = unsafe library.clearTLSOptions?(settings, CurlConstant.ignoresUnexpectedEnd)
        return 0
    }

    /// Receives a change of the events that libcurl waits for on a descriptor.
    static let events: CurlLibrary.EventCallback = { _, descriptor, events, receiver, _ in
        // Bound: ``CurlMulti`` has set the pointer to its own object, which it keeps until libcurl's list is closed.
        let reads = unsafe Unmanaged<CurlReads>.fromOpaque(receiver.unsafelyUnwrapped).takeUnretainedValue()
        reads.record(events, on: descriptor)
        return 0
    }

    private static func exchange(_ receiver: UnsafeMutableRawPointer?) -> CurlExchange {
        // Bound: ``CurlHandle/setReceiver(_:)`` has set the pointer. The engine holds the exchange during the transfer.
        unsafe Unmanaged<CurlExchange>.fromOpaque(receiver.unsafelyUnwrapped).takeUnretainedValue()
    }
}
#endif
