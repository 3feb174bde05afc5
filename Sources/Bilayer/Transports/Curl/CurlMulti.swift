#if os(Linux)
import Foundation

/// libcurl's list of transfers, with the connections that the transfers share.
@safe
// Sendable: libcurl allows `wake` on any thread. Once the engine's thread runs, it alone calls the other functions.
final class CurlMulti: @unchecked Sendable {
    private let library: CurlLibrary
    private let pointer: CurlLibrary.Handle
    private let reads = CurlReads()
    private var isClosed = false

    /// Makes an empty list.
    /// - Throws: ``CurlUnavailableError`` if there is no memory or no descriptor for it, or if libcurl refuses to report
    ///   events.
    init(_ library: CurlLibrary) throws(CurlUnavailableError) {
        guard let pointer = unsafe library.multiInit() else {
            throw CurlUnavailableError("libcurl \(library.version) has no memory or no descriptor for a transport")
        }
        self.library = library
        unsafe self.pointer = unsafe pointer
        // Bound: this object keeps the receiver until the list is closed. The function has the type that the option
        // takes.
        let receiver = unsafe UnsafeRawPointer(Unmanaged.passUnretained(reads).toOpaque())
        let results = unsafe [
            library.setMultiPointer(pointer, CurlMultiOption.eventsData.rawValue, receiver),
            library.setMultiEvents(pointer, CurlMultiOption.events.rawValue, CurlCallbacks.events),
        ]
        // Without the events, every upload that waits for its source would seem to have its response already.
        if results != [0, 0] { throw CurlUnavailableError("libcurl \(library.version) does not report its events") }
    }

    deinit { close() }

    /// Closes all connections. No function may be called afterwards.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        // Bound: the list is this object's own, and empty.
        _ = unsafe library.multiCleanup(pointer)
    }

    func set(_ option: CurlMultiOption, _ value: Int) {
        // Bound: the wrapper takes a long.
        _ = unsafe library.setMultiLong(pointer, option.rawValue, value)
    }

    /// Begins a transfer.
    /// - Returns: Whether libcurl accepted the transfer.
    func add(_ handle: CurlHandle) -> Bool {
        // Bound: both handles are open.
        unsafe handle.withPointer { unsafe library.multiAdd(pointer, $0) } == 0
    }

    /// Ends a transfer. If its response is not complete, closes its connection, or resets its stream of HTTP/2.
    func remove(_ handle: CurlHandle) {
        // Bound: both handles are open.
        _ = unsafe handle.withPointer { unsafe library.multiRemove(pointer, $0) }
    }

    /// Advances all transfers as far as possible without waiting.
    func perform() {
        var running: Int32 = 0
        // Bound: libcurl writes one number of 32 bits.
        _ = unsafe library.multiPerform(pointer, &running)
    }

    /// Advances all transfers like ``perform()``, and finds the descriptors on which libcurl then waits for bytes.
    ///
    /// This function calls `curl_multi_socket_all`, which is deprecated but stays in libcurl's binary interface.
    /// `curl_multi_fdset` would leave out descriptors of 1,024 and above, and libcurl has `curl_multi_waitfds` only
    /// from 8.8 on.
    func performFindingReads() -> CurlReads {
        var running: Int32 = 0
        // Bound: libcurl writes one number of 32 bits.
        _ = unsafe library.multiPerformWithEvents(pointer, &running)
        return reads
    }

    /// The events that an open WebSocket waits for.
    struct Wait {
        let socket: CurlChannel
        let descriptor: Int32
        let reads: Bool
        let writes: Bool
    }

    /// Waits for an event of a transfer or a socket, for ``wake()``, or for the end of the time.
    /// - Returns: The sockets that have an event.
    func wait(for waits: [Wait] = [], atMost milliseconds: Int32) -> [CurlChannel] {
        if waits.isEmpty {
            // Bound: there are no further descriptors.
            _ = unsafe library.multiPoll(pointer, nil, 0, milliseconds, nil)
            return []
        }
        // The layout of `struct curl_waitfd`: a descriptor of 32 bits, the events to wait for and those found, 16 bits
        // each.
        var list = waits.map { wait in
            PolledSocket(descriptor: wait.descriptor, events: (wait.reads ? 1 : 0) | (wait.writes ? 4 : 0))
        }
        // Bound: libcurl reads and writes as many elements as the count says, during the call.
        _ = unsafe list.withUnsafeMutableBytes { buffer in
            unsafe library.multiPoll(pointer, buffer.baseAddress, UInt32(waits.count), milliseconds, nil)
        }
        return zip(waits, list).filter { $1.found != 0 }.map(\.0.socket)
    }

    private struct PolledSocket {
        let descriptor: Int32
        let events: Int16
        var found: Int16 = 0
    }

    /// Ends the wait that is in progress; if none is, ends the next wait at once.
    func wake() {
        // Bound: the list is open.
        _ = unsafe library.multiWakeup(pointer)
    }

    /// Returns the next transfer that has ended, by the identity of its handle, or `nil` if there is none.
    func nextEnded() -> (id: UInt, code: CurlCode)? {
        var left: Int32 = 0
        // Bound: libcurl gives a `CURLMsg`, valid until the next call. It has a kind of 32 bits at 0, the transfer's
        // handle at 8, and a union at 16. For this kind, the union has a result of 32 bits.
        while let message = unsafe library.multiInfo(pointer, &left) {
            guard unsafe message.load(as: Int32.self) == 1 else { continue }
            let id = unsafe message.load(fromByteOffset: 8, as: UInt.self)
            return (id, CurlCode(rawValue: unsafe message.load(fromByteOffset: 16, as: Int32.self)))
        }
        return nil
    }
}
#endif
