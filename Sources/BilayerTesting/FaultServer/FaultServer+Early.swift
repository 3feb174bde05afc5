public import Bilayer

// Faults before the server has received a complete request.
extension FaultServer {
    /// Sends these replies to the next clients, one reply each, as soon as a client connects. No request is read. The
    /// connection then ends, and later clients are served as usual. With TLS, the replies are sent before the handshake
    /// and are not encrypted.
    ///
    /// ```swift
    /// server.onConnect(.resetBeforeAnswer, .hold)          // the first connection is reset, the second one hangs
    /// ```
    public func onConnect(_ replies: Reply...) { engine.state.withLock { $0.connectReplies += replies } }

    /// Sends a reply during an upload, and then ends the connection. The reply is sent when `count` bytes of the
    /// request's body have arrived and more follow. A request with at most `count` bytes of body receives its scripted
    /// reply.
    ///
    /// ```swift
    /// server.onUpload(.post, "/photos", after: 1000, .status(413))     // or .resetBeforeAnswer, .closeBeforeAnswer
    /// server.onUpload(.put, "/photos/7", after: 1000, .resetBeforeAnswer, times: 1)      // a retry succeeds
    /// ```
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path exactly as it is sent, without a query.
    ///   - count: The number of bytes to read before the reply.
    ///   - reply: The reply, which can be a fault.
    ///   - times: The number of requests to which this applies; later requests receive their scripted replies. `nil`
    ///     applies to all requests.
    public func onUpload(
        _ method: HTTPMethod,
        _ path: String,
        after count: Int,
        _ reply: Reply,
        times: Int? = nil
    ) {
        let fault = UploadFault(after: max(count, 0), reply: reply, remaining: times)
        engine.state.withLock { $0.uploads[UploadFault.Place(method, path)] = fault }
    }
}
