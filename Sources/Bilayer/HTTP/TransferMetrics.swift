/// A transport's measurements of one request and its response.
///
/// ``CurlTransport`` measures every exchange that began and was not cancelled, including redirects and failed
/// exchanges. ``CallContext/transferMetrics`` has the measurements in order:
///
/// ```swift
/// let answer = try await client.send(.users)
/// for transfer in answer.transferMetrics { print(transfer) }
/// // h2, new connection: look-up 2.1 ms, connect 14.0 ms, TLS 43.5 ms, first byte 72.4 ms, total 80.2 ms
/// ```
///
/// Times are counted from the start of the exchange. The time of a step that did not happen is `nil`, such as
/// ``connect`` on a reused connection.
public struct TransferMetrics: Sendable, Hashable {
    /// The time until the host's address was known.
    public var nameLookup: Duration?
    /// The time until the connection was made.
    public var connect: Duration?
    /// The time until the connection was secure; `nil` for `http`.
    public var secureConnect: Duration?
    /// The time until the first byte of the response was received.
    public var firstByte: Duration?
    /// The time until the exchange ended.
    public var total: Duration
    /// Whether the exchange used the connection of an earlier exchange.
    public var isConnectionReused: Bool
    /// The protocol by its ALPN name, such as `http/1.1`, `h2` or `h3`; `nil` means unknown.
    public var networkProtocol: String?
    /// The number of bytes of the request's body that were sent.
    public var bytesSent: Int
    /// The number of bytes of the response's body that were received, before decompression.
    public var bytesReceived: Int

    /// Makes metrics, for a transport that measures its exchanges.
    /// - Parameters:
    ///   - nameLookup: The time until the host's address was known.
    ///   - connect: The time until the connection was made.
    ///   - secureConnect: The time until the connection was secure.
    ///   - firstByte: The time until the first byte of the response was received.
    ///   - total: The time until the exchange ended.
    ///   - isConnectionReused: Whether the exchange used the connection of an earlier exchange.
    ///   - networkProtocol: The protocol by its ALPN name.
    ///   - bytesSent: The number of bytes of the request's body that were sent.
    ///   - bytesReceived: The number of bytes of the response's body that were received.
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
    /// The protocol, the connection and the times: `http/1.1, new connection: connect 1.2 ms, total 4.0 ms`.
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

/// Returns milliseconds with one decimal digit, because most times are short.
private func milliseconds(_ duration: Duration) -> String {
    let tenths = Int((duration / .microseconds(100)).rounded())
    return "\(tenths / 10).\(tenths % 10)"
}
