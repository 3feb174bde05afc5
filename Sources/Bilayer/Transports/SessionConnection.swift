import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session and the delegate of its tasks. Invalidates the session if it made it.
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

    /// A new task, not yet resumed, whose events go to `transfer`.
    func task(for request: URLRequest, reportingTo transfer: Transfer) -> URLSessionTask {
        let task = session.dataTask(with: request)
        delegate.register(transfer, for: task)
        #if !canImport(FoundationNetworking)
        if !isOwned { task.delegate = delegate }
        #endif
        return task
    }
}
