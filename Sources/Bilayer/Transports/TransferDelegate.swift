import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Hands the events of a session's tasks to their transfers.
// Sendable: `transfers` is the only mutable state, and is touched under `lock` alone.
final class TransferDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var transfers: [Int: Transfer] = [:]

    /// How many tasks were made and have not ended.
    var openTransferCount: Int { lock.withLock { transfers.count } }

    func register(_ transfer: Transfer, for task: URLSessionTask) {
        lock.withLock { transfers[task.taskIdentifier] = transfer }
    }

    private func transfer(for task: URLSessionTask) -> Transfer? {
        lock.withLock { transfers[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        transfer(for: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(for: dataTask)?.receive(data)
    }

    /// Redirects are followed by ``URLSessionTransport``: on Linux the session would leave out the body of a 307, and
    /// send credentials to another host.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        guard transfer(for: task)?.claimRedirect() == true else { return }
        #endif
        completionHandler(nil)
    }

    #if canImport(FoundationNetworking)
    /// On Linux a 401 with `Basic` ends only when its challenge is answered: with error -999, the 401 having been
    /// delivered (swift-corelibs-foundation issue 5456).
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        transfer(for: task)?.rejectChallenge()
        completionHandler(.rejectProtectionSpace, nil)
    }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lock.withLock { transfers.removeValue(forKey: task.taskIdentifier) }?
            .complete(
                error,
                lastHead: task.response
            )
    }
}
