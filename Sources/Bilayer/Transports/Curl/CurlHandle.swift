#if os(Linux)
import Foundation

/// A handle of libcurl for one transfer at a time, used again for the next. The engine's thread alone uses it.
@safe
final class CurlHandle {
    let library: CurlLibrary
    private let pointer: CurlLibrary.Handle
    private var list: CurlLibrary.Handle?
    /// The memory in which libcurl writes why a transfer failed: `CURL_ERROR_SIZE` bytes.
    private let reason: UnsafeMutablePointer<CChar>
    private static let reasonSize = 256

    /// Makes a handle; returns `nil` if libcurl has no memory for it.
    init?(_ library: CurlLibrary) {
        guard let pointer = unsafe library.easyInit() else { return nil }
        self.library = library
        unsafe self.pointer = unsafe pointer
        unsafe reason = .allocate(capacity: Self.reasonSize)
        unsafe reason.initialize(repeating: 0, count: Self.reasonSize)
    }

    deinit {
        // Bound: the handle is this object's own, and is in no list of transfers any more.
        unsafe library.easyCleanup(pointer)
        unsafe library.listFree(list)
        unsafe reason.deallocate()
    }

    /// The identity of the handle, which libcurl reports when the transfer has ended.
    var id: UInt { UInt(bitPattern: unsafe pointer) }

    /// Calls a closure with libcurl's handle, for the functions of ``CurlMulti``.
    func withPointer<Value>(_ body: (CurlLibrary.Handle) -> Value) -> Value { unsafe body(pointer) }

    /// Resets the options, and keeps the connections and the cached addresses of hosts.
    func reset() {
        // Bound: the handle is this object's own. Once its options are reset, it no longer uses the list.
        unsafe library.easyReset(pointer)
        unsafe library.listFree(list)
        unsafe list = nil
    }

    /// Sets a number. Has no effect if this libcurl lacks the option.
    func set(_ option: CurlNumberOption, _ value: Int) {
        // Bound: the wrappers take numbers of these sizes.
        if option == .uploadSize {
            _ = unsafe library.setInt64(pointer, option.rawValue, Int64(value))
        } else {
            _ = unsafe library.setLong(pointer, option.rawValue, value)
        }
    }

    /// Sets a text.
    /// - Throws: ``TransportError`` if libcurl refuses the value, for example because it lacks a feature such as TLS.
    func set(_ option: CurlTextOption, _ value: String) throws(TransportError) {
        // Bound: the text is terminated, and libcurl copies it during the call.
        let code = unsafe value.withCString { unsafe library.setPointer(pointer, option.rawValue, $0) }
        guard code == CurlCode.ok.rawValue else {
            let kind: TransportError.Kind = option == .url ? .invalidRequest : .other
            throw TransportError(kind, detail: "libcurl \(library.version) refuses the option \(option)")
        }
    }

    /// Sets the header fields, as the lines to send.
    func setHeaders(_ lines: [CurlLine]) {
        for line in lines {
            // Bound: the text is terminated and copied; the list is this object's own.
            let longer = unsafe line.withBytes { unsafe library.listAppend(list, $0) }
            if let longer = unsafe longer { unsafe list = unsafe longer }
        }
        _ = unsafe library.setPointer(pointer, CurlPointerOption.headerList.rawValue, list)
    }

    /// Passes the events of the transfer to an exchange, which must exist until the transfer is removed.
    func setReceiver(_ exchange: CurlExchange) {
        // Bound: the engine holds the exchange for as long as the handle is in its list of transfers.
        let receiver = unsafe UnsafeRawPointer(Unmanaged.passUnretained(exchange).toOpaque())
        let options: [CurlPointerOption] = [
            .writeData, .headerData, .readData, .seekData, .progressData, .socketData, .prerequestData,
        ]
        for option in options { _ = unsafe library.setPointer(pointer, option.rawValue, receiver) }
        // Bound: pointers to functions and to data have one size and are passed alike on Linux. The functions have the
        // types of libcurl's header.
        let prerequest = unsafe unsafeBitCast(CurlCallbacks.prerequest, to: UnsafeRawPointer.self)
        _ = unsafe library.setPointer(pointer, CurlPointerOption.prerequest.rawValue, prerequest)
        if unsafe library.clearTLSOptions != nil {
            let tls = unsafe unsafeBitCast(CurlCallbacks.tls, to: UnsafeRawPointer.self)
            _ = unsafe library.setPointer(pointer, CurlPointerOption.tls.rawValue, tls)
        }
        // Bound: the memory is this object's own, and has the size that libcurl requires.
        unsafe reason.pointee = 0
        _ = unsafe library.setPointer(pointer, CurlPointerOption.errorText.rawValue, reason)
        _ = unsafe library.setTransfer(pointer, CurlPointerOption.write.rawValue, CurlCallbacks.write)
        _ = unsafe library.setTransfer(pointer, CurlPointerOption.header.rawValue, CurlCallbacks.header)
        _ = unsafe library.setTransfer(pointer, CurlPointerOption.read.rawValue, CurlCallbacks.read)
        _ = unsafe library.setSeek(pointer, CurlPointerOption.seek.rawValue, CurlCallbacks.seek)
        _ = unsafe library.setProgress(pointer, CurlPointerOption.progress.rawValue, CurlCallbacks.progress)
        _ = unsafe library.setSocket(pointer, CurlPointerOption.socket.rawValue, CurlCallbacks.socket)
    }

    /// Ends a pause. libcurl then calls again the callbacks that have paused the transfer.
    func goOn() {
        // Bound: the handle is this object's own, and in the list of transfers.
        _ = unsafe library.easyPause(pointer, 0)
    }

    /// Whether the peer has ended the connection with a TLS alert (RFC 8446 §6).
    var hasAlert: Bool {
        // Bound: libcurl ends its text with a zero byte. OpenSSL writes `tlsv13 alert certificate required`, for
        // example.
        unsafe String(cString: reason).contains(" alert ")
    }

    /// Whether the peer has sent the closing alert of TLS, after which it sends nothing more (RFC 8446 §6.1). Read the
    /// property inside a callback, while the transfer has its connection.
    /// - Returns: `nil` if the transfer has no TLS connection, or if libcurl does not use OpenSSL 3 or newer.
    var hasClosingAlert: Bool? {
        guard let shutdown = unsafe library.tlsShutdown else { return nil }
        let address = number(.tlsConnection)
        // Bound: libcurl gives the address of its own record. At offset 0 is the number of the TLS library, of 32 bits.
        // At offset 8 is a pointer to the connection (an `SSL` of OpenSSL), or null.
        guard let session = unsafe UnsafeRawPointer(bitPattern: address),
            let connection = unsafe session.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
        else { return nil }
        return unsafe shutdown(connection) & CurlConstant.receivedShutdown != 0
    }

    /// Returns a number about the transfer, or 0 if libcurl does not have it.
    func number(_ info: CurlInfo.Number) -> Int {
        var value: Int64 = 0
        // Bound: the wrapper writes a long, or a number of 64 bits; both have the variable's size.
        _ = unsafe library.getLong(pointer, info.rawValue, &value)
        return Int(value)
    }

    /// Returns the time from the start of the transfer to an event; zero if the event has not happened.
    func time(_ info: CurlInfo.Time) -> Duration {
        var value = 0.0
        // Bound: the wrapper writes a double, which the variable is.
        _ = unsafe library.getDouble(pointer, info.rawValue, &value)
        return .seconds(value)
    }
}
#endif
