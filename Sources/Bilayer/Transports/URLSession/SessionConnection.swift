import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session and the delegate of its tasks. A session that this object made is invalidated in `deinit`.
final class SessionConnection: Sendable {
    private let session: URLSession
    let delegate = TransferDelegate()
    private let isOwned: Bool

    init(configuration: URLSessionConfiguration) {
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        isOwned = true
    }

    #if !canImport(FoundationNetworking)
    init(borrowing session: URLSession) {
        self.session = session
        isOwned = false
    }
    #endif

    /// A session retains its delegate, and itself, until it is invalidated.
    deinit {
        if isOwned { session.finishTasksAndInvalidate() }
    }

    #if !canImport(FoundationNetworking)
    /// Returns a new task for a WebSocket, not yet resumed.
    func webSocketTask(for request: URLRequest) -> URLSessionWebSocketTask { session.webSocketTask(with: request) }
    #endif

    /// Returns a new task, not yet resumed, whose events go to `transfer`.
    /// - Parameters:
    ///   - request: The request.
    ///   - file: The file with the request's body; `nil` if the body is in memory, or if there is none.
    ///   - transfer: Receives the events.
    /// - Returns: The task.
    func task(for request: URLRequest, sending file: URL?, reportingTo transfer: SessionTransfer) -> URLSessionTask {
        // On Linux there is no file: see `withSessionBody`.
        let task: URLSessionTask =
            if let file { session.uploadTask(with: request, fromFile: file) } else { session.dataTask(with: request) }
        delegate.register(transfer, for: task)
        #if !canImport(FoundationNetworking)
        if !isOwned { task.delegate = delegate }
        #endif
        return task
    }
}
