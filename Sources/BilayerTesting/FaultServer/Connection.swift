import Bilayer
import Foundation

/// A connection to a client. It reads the client's requests one after the other and sends the reply to each.
struct Connection {
    let number: Int
    var socket: ClientSocket
    let server: ServerEngine

    /// Serves the client until one side ends the connection.
    func serve() {
        do {
            if let early = server.nextConnectReply() {
                _ = try play(early.reply, body: true, gate: early.gate)
                return socket.finish()
            }
            var connection = self
            if let identity = server.identity { connection.socket = try socket.secured(by: identity) }
            connection.serveRequests()
        } catch {
            // The connection has ended, or the handshake failed. The error is not reported.
        }
    }

    /// Replies to the requests of the connection one after the other. A request that is not valid gets a last response
    /// with the reason.
    private func serveRequests() {
        let socket = socket
        var reader = RequestReader(
            limits: server.limits,
            uploadLimit: { [server] method, target in
                let fault = server.state.withLock { $0.uploads[UploadFault.Place(method, target)] }
                return fault?.remaining == 0 ? nil : fault?.after
            },
            invite: { try socket.send([UInt8]("HTTP/1.1 100 Continue\r\n\r\n".utf8)) },
            receive: { try socket.receive() }
        )
        do {
            while let request = try reader.next(), try serve(request) {}
            socket.finish()
        } catch let refusal as RequestRefusal {
            _ = try? play(.json(errorBody(refusal.reason), status: refusal.status), body: true, gate: nil)
            socket.finish()
        } catch {
            // The client or a reply ended the connection, or the server was stopped. The error is not reported.
        }
    }

    /// Replies to one request.
    /// - Returns: Whether the connection stays open.
    private func serve(_ request: RecordedRequest) throws -> Bool {
        let (request, answer, gate) = server.answer(for: request, on: number)
        let reply = request.isHTTP10 ? answer.forHTTP10 : answer
        // The reply has no chunks now, so the connection must end after the body.
        if reply != answer {
            _ = try play(reply, body: request.method != .head, gate: gate)
            return false
        }
        let goesOn = try play(reply, body: request.method != .head, gate: gate)
        return goesOn && !request.isLastOfConnection
    }

    /// Does the actions of a reply in order.
    /// - Parameters:
    ///   - reply: The reply.
    ///   - body: Whether the body is sent. The response to a `HEAD` has none.
    ///   - gate: The signal that ends a hold of the reply; `nil` if only the end of the connection ends it.
    /// - Returns: Whether the connection stays open.
    /// - Throws: ``ConnectionOver`` if the reply cuts or resets the connection, if the client closed it, or if the
    ///   server was stopped. ``SystemError`` if the system cannot wait.
    private func play(_ reply: Reply, body: Bool, gate: Signal?) throws -> Bool {
        for action in reply.actions {
            switch action {
            case .head(let bytes): try socket.send([UInt8](bytes))
            case .body(let bytes): if body { try socket.send([UInt8](bytes)) }
            case .bodies(let bytes, let count):
                let bytes = body ? [UInt8](bytes) : []
                for _ in 0..<(bytes.isEmpty ? 0 : max(count, 0)) { try socket.send(bytes) }
            case .pause(let duration): try socket.pause(until: .now + duration)
            case .hold: try socket.pause(until: nil, orUntil: gate)
            case .close: return false
            case .cut:
                socket.finish(withAlert: false)
                throw ConnectionOver()
            case .reset:
                socket.resetOnClose()
                throw ConnectionOver()
            }
        }
        return true
    }
}
