/// The error of a request that was not sent, because its host failed again and again.
public struct CircuitOpenError: Error, Sendable, Hashable {
    /// The host with its port.
    public let host: String
    /// The time until a request is sent again; zero while the probe (the first request after the pause) is in flight.
    public let remaining: Duration
}

extension CircuitOpenError: UnsentRequestError {}

extension CircuitOpenError: Redacted {
    /// For example `circuit of api.example.com:443 is open: the next request is sent after 12.000 s`.
    public var description: String {
        let then = remaining > .zero ? "sent after \(remaining.formattedSeconds)" : "sent after the one that tries it"
        return "circuit of \(host) is open: the next request is \(then)"
    }
}
