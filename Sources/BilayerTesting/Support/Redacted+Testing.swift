public import Bilayer

// The descriptions of servers and stubs contain sizes and counts, but no contents.

extension Reply: Redacted {
    /// The actions, joined by commas: `head of 64 B, body of 2 B`.
    public var description: String { actions.map(\.description).joined(separator: ", ") }
}

extension Reply.Action: Redacted {
    /// The name of the action, with sizes instead of bytes.
    public var description: String {
        switch self {
        case .head(let bytes): "head of \(byteCountText(bytes.count))"
        case .body(let bytes): "body of \(byteCountText(bytes.count))"
        case .bodies(let bytes, let count): "\(count) times a body of \(byteCountText(bytes.count))"
        case .pause(let duration): "pause of \(duration)"
        case .hold: "hold"
        case .close: "close"
        case .reset: "reset"
        case .cut: "cut"
        }
    }
}

extension FaultServer: Redacted {
    /// The server's address: `FaultServer(http://127.0.0.1:49152)`.
    public var description: String { "FaultServer(\(url))" }
}

extension StubTransport: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension StubTransport.Answer: Redacted {
    /// The name of the type.
    public var description: String { typeName(Self.self) }
}

extension RecordingTransport.Exchange: Redacted {
    /// The request, followed by the response or the error.
    public var description: String {
        switch result {
        case .success(let response): "\(request) -> \(response)"
        case .failure(let error): "\(request) -> \(typeName(type(of: error)))"
        }
    }
}
