#if os(Linux)
extension CurlHandle {
    /// Whether the transfer still looks up the address of its host.
    var isLookingUp: Bool { time(.nameLookup) == .zero && time(.beforeTransfer) == .zero }
}

extension TransferMetrics {
    /// Reads the measurements of a transfer from libcurl.
    init(_ handle: CurlHandle) {
        let isReused = handle.number(.newConnections) == 0
        func step(_ time: CurlInfo.Time) -> Duration? { handle.time(time).nonZero }
        self.init(
            nameLookup: isReused ? nil : step(.nameLookup),
            connect: isReused ? nil : step(.connect),
            secureConnect: isReused ? nil : step(.secureConnect),
            firstByte: step(.firstByte),
            total: handle.time(.total),
            isConnectionReused: isReused && handle.time(.beforeTransfer) != .zero,
            networkProtocol: protocols[handle.number(.httpVersion)],
            bytesSent: handle.number(.bytesSent),
            bytesReceived: handle.number(.bytesReceived)
        )
    }
}

/// The names of ALPN (RFC 7301 §6) for libcurl's numbers.
private let protocols = [1: "http/1.0", 2: "http/1.1", 3: "h2", 30: "h3"]

extension Duration {
    fileprivate var nonZero: Duration? { self == .zero ? nil : self }
}
#endif
