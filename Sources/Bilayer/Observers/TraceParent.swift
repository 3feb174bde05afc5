/// The position of a call in a distributed trace (W3C Trace Context §3.2, the field `traceparent`).
///
/// A server that handles a request passes the trace of that request to its own calls, as in the example. An app does
/// not set this option. Without the option, each attempt of a call begins a new trace.
///
/// ```swift
/// client.transport = client.transport.wrapped(by: .tracePropagation).erased()
/// let incoming = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
/// let users = try await client.fetch(incoming.map(Route.users.with(option:)) ?? .users)
/// ```
public struct TraceParent: CallOption, Hashable {
    /// The trace's id: 32 hexadecimal digits in lower case, not all 0.
    public let traceID: String
    /// The id of the caller's span, its part of the trace: 16 hexadecimal digits in lower case, not all 0.
    public let parentID: String
    /// Whether the caller records the trace.
    public let isSampled: Bool

    /// Reads the value of a `traceparent` field.
    /// - Parameter text: The value, of version 00 or a later version.
    public init?(_ text: some StringProtocol) {
        let parts = String(text).split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
            .map { String($0) }
        guard parts.count >= 4, parts.count == 4 || parts[0] != "00", parts[0] != "ff",
            zip(parts, [2, 32, 16, 2]).allSatisfy({ isHex($0, digits: $1) }), let flags = UInt8(parts[3], radix: 16),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        self.init(traceID: parts[1], parentID: parts[2], isSampled: flags & 1 == 1)
    }

    /// Begins a new trace that is recorded.
    /// - Parameter random: Random numbers for the ids.
    public init(random: () -> UInt64) {
        self.init(traceID: digits(random) + digits(random), parentID: digits(random), isSampled: true)
    }

    private init(traceID: String, parentID: String, isSampled: Bool) {
        self.traceID = traceID
        self.parentID = parentID
        self.isSampled = isSampled
    }

    /// The value of the field `traceparent`.
    public var fieldValue: String { "00-\(traceID)-\(parentID)-\(isSampled ? "01" : "00")" }

    /// Returns the position of a new span in the same trace.
    func child(random: () -> UInt64) -> TraceParent {
        TraceParent(traceID: traceID, parentID: digits(random), isSampled: isSampled)
    }
}

extension TraceParent: Redacted {
    /// The value of the field, which has no secrets.
    public var description: String { fieldValue }
}

private func isHex(_ text: String, digits: Int) -> Bool {
    text.utf8.count == digits && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
}

/// A random number as 16 digits, not all 0.
private func digits(_ random: () -> UInt64) -> String {
    let digits = String(max(random(), 1), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}
