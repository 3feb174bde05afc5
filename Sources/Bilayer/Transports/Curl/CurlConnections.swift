#if os(Linux)
import Foundation

/// The owner of the engines. The engines are stopped when the last copy of the transport, its last stream and its last
/// WebSocket are released.
final class CurlConnections: Sendable {
    let engine: CurlEngine
    private let sockets = Locked<CurlEngine?>(nil)

    init(_ engine: CurlEngine) { self.engine = engine }

    deinit {
        engine.stop()
        sockets.withLock { $0 }?.stop()
    }

    /// The engine of the WebSockets. This engine does not limit the number of connections, because each open WebSocket
    /// needs its own connection.
    /// - Throws: ``TransportError``. Its kind is ``TransportError/Kind-swift.struct/unsupported`` if libcurl is too
    ///   old, and ``TransportError/Kind-swift.struct/other`` if libcurl has no memory or no descriptor for the engine.
    func socketEngine() throws -> CurlEngine {
        guard engine.library.hasWebSockets else {
            let found = "found libcurl \(engine.library.version), expected \(CurlVersion.webSockets) or newer"
            throw TransportError(.unsupported, detail: "\(found), with WebSockets")
        }
        return try sockets.withLock { sockets in
            if let sockets { return sockets }
            do {
                let made = try CurlEngine(engine.library, engine.settings, limitsConnections: false)
                sockets = made
                return made
            } catch {
                throw TransportError(.other, detail: "no WebSocket can be opened", underlyingError: error)
            }
        }
    }
}
#endif
