/// The measurements of one request and its response by a transport.
///
/// ``CurlTransport`` measures every exchange that was not cancelled, those of redirects and failed ones, too.
/// ``CallContext/transferMetrics`` has them in order:
///
/// ```swift
/// let answer = try await client.send(.users)
/// for transfer in answer.transferMetrics { print(transfer) }
/// // h2, new connection: look-up 2.1 ms, connect 14.0 ms, TLS 43.5 ms, first byte 72.4 ms, total 80.2 ms
/// ```
///
/// Times are counted from the start of the exchange. A step that did not happen, as the connect on a connection that
/// was used before, is `nil`.
public struct TransferMetrics: Sendable, Hashable {
    /// When the host's address was known.
    public var nameLookup: Duration?
    /// When the connection was there.
    public var connect: Duration?
    /// When the connection was secure; `nil` for `http`.
    public var secureConnect: Duration?
    /// When the first byte of the response was there.
    public var firstByte: Duration?
    /// When the exchange had ended.
    public var total: Duration
    /// Whether a connection of an earlier exchange was used.
    public var isConnectionReused: Bool
    /// The protocol as ALPN writes it, `http/1.1` or `h2`; `nil` means unknown.
    public var networkProtocol: String?
    /// The bytes of the request's body that were sent.
    public var bytesSent: Int
    /// The bytes of the response's body that were received, before decompression.
    public var bytesReceived: Int

    /// Makes metrics; for a transport that measures.
    /// - Parameters:
    ///   - nameLookup: When the host's address was known.
    ///   - connect: When the connection was there.
    ///   - secureConnect: When the connection was secure.
    ///   - firstByte: When the first byte of the response was there.
    ///   - total: When the exchange had ended.
    ///   - isConnectionReused: Whether a connection of an earlier exchange was used.
    ///   - networkProtocol: The protocol as ALPN writes it.
    ///   - bytesSent: The bytes of the request's body that were sent.
    ///   - bytesReceived: The bytes of the response's body that were received.
    public init(
        nameLookup: Duration? = nil,
        connect: Duration? = nil,
        secureConnect: Duration? = nil,
        firstByte: Duration? = nil,
        total: Duration,
        isConnectionReused: Bool = false,
        networkProtocol: String? = nil,
        bytesSent: Int = 0,
        bytesReceived: Int = 0
    ) {
        self.nameLookup = nameLookup
        self.connect = connect
        self.secureConnect = secureConnect
        self.firstByte = firstByte
        self.total = total
        self.isConnectionReused = isConnectionReused
        self.networkProtocol = networkProtocol
        self.bytesSent = bytesSent
        self.bytesReceived = bytesReceived
    }
}

extension TransferMetrics: Redacted {
    /// The steps with their times: `http/1.1, new connection: connect 1.2 ms, total 4.0 ms`.
    public var description: String {
        let steps: [(String, Duration?)] = [
            ("look-up", nameLookup), ("connect", connect), ("TLS", secureConnect), ("first byte", firstByte),
            ("total", total),
        ]
        let times = steps.compactMap { name, time in time.map { "\(name) \(milliseconds($0)) ms" } }
        let connection = isConnectionReused ? "reused connection" : "new connection"
        return "\(networkProtocol ?? "unknown protocol"), \(connection): \(times.joined(separator: ", "))"
    }
}

/// Milliseconds with one digit, for times that are mostly short.
private func milliseconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .microseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10)"
}
