#if os(Linux)
import Foundation

/// A WebSocket of libcurl.
struct CurlWebSocketConnection: WebSocketConnection {
    private let socket: CurlWebSocket
    /// Retains the engine.
    private let connections: CurlConnections

    init(_ socket: CurlWebSocket, _ connections: CurlConnections) {
        self.socket = socket
        self.connections = connections
    }

    @concurrent
    func receive() async throws -> WebSocketMessage { try await socket.channel.receive() }

    @concurrent
    func send(_ message: WebSocketMessage) async throws {
        switch message {
        case .text(let text): try await socket.channel.send(.text, Data(text.utf8))
        case .data(let data): try await socket.channel.send(.binary, data)
        }
    }

    @concurrent
    func ping() async throws { try await socket.channel.send(.ping, Data()) }

    func close(_ code: WebSocketCloseCode, reason: String) { socket.channel.close(code, reason: reason) }
}
#endif
