public import Bilayer

// Faults before a request is complete.
extension FaultServer {
    /// Gives the next clients these replies as soon as they connect, one each, before anything is read of them. Then
    /// the connection ends; later clients are served as usual. Of a server with TLS the replies come before the
    /// handshake, and are not encrypted.
    ///
    /// ```swift
    /// server.onConnect(.resetBeforeAnswer, .hold)          // the first connection is reset, the second one hangs
    /// ```
    public func onConnect(_ replies: Reply...) { engine.state.withLock { $0.connectReplies += replies } }

    /// Sends a reply, and ends the connection, when that many bytes of a request's body have arrived and more are to
    /// come. A body that is complete by then is answered as scripted.
    ///
    /// ```swift
    /// server.onUpload(.post, "/photos", after: 1000, .status(413))     // or .resetBeforeAnswer, .closeBeforeAnswer
    /// server.onUpload(.put, "/photos/7", after: 1000, .resetBeforeAnswer, times: 1)      // a retry succeeds
    /// ```
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - path: The path exactly as sent, without a query.
    ///   - count: The bytes that are read first.
    ///   - reply: The reply, or a fault.
    ///   - times: For how many requests; the later ones are answered as scripted. `nil` for all.
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
