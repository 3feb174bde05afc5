#if os(Linux)
/// The connection that the request of an exchange is sent on.
///
/// A kept connection is one that an earlier exchange has used. If it ends before a whole line of the response has
/// arrived, libcurl sends the request a second time, on another connection. The server may already have carried out the
/// request. So a request that must not be repeated (``obstacle``) fails instead (RFC 9110 §9.2.2).
struct CurlConnectionUse {
    /// The reason not to send the request a second time; `nil` if it may be sent again.
    let obstacle: String?
    /// The kept connections of the engine.
    var kept: CurlKeptConnections?
    /// The sockets that libcurl has made for the transfer, until the request is sent on one of them.
    var sockets: [Int32] = []
    /// The ports of the connection.
    private(set) var ports: CurlKeptConnections.Ports?
    /// Whether bytes, or the end, were found on the kept connection. If so, the request has to be sent on another one.
    private(set) var needsAnother = false
    /// Whether libcurl has sent the request a second time.
    private(set) var isSentAgain = false

    init(obstacle: String?) { self.obstacle = obstacle }

    /// The socket of the connection; `nil` means unknown, or that the transfer has no connection yet.
    var descriptor: Int32? { sockets.isEmpty ? ports.flatMap { kept?.descriptor(of: $0) } : nil }

    /// Whether the peer has closed the connection. Also true if that is unknown.
    var isClosed: Bool { ports.flatMap { kept?.isClosed($0) } ?? true }

    /// The error of a request that was sent and must not be sent again; `nil` if it was not sent, or may be sent again.
    var loss: TransportError? {
        guard ports != nil, let obstacle else { return nil }
        let detail = "found the end of the kept connection, expected a response; \(obstacle)"
        return TransportError(.connectionLost, detail: detail)
    }

    /// Begins to use a connection, and returns whether the request may be sent on it. If not, the transfer ends, and
    /// libcurl closes the connection.
    /// - Throws: ``TransportError`` if the request was sent before, and must not be sent again.
    mutating func begin(on new: CurlKeptConnections.Ports) throws(TransportError) -> Bool {
        if let loss { throw loss }
        if ports != nil { isSentAgain = true }
        ports = new
        if !sockets.isEmpty {
            kept?.add(new, of: sockets)
            sockets = []
        } else if kept?.hasBytes(on: new) == true {
            needsAnother = true
            return false
        }
        return true
    }

    /// Prepares for a transfer: the first transfer, or a further transfer on a new connection if the request was not
    /// sent.
    mutating func reset() { (needsAnother, ports) = (false, nil) }
}
#endif
