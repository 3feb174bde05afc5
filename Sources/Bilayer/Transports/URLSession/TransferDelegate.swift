import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Forwards the events of a session's tasks to their transfers.
// Sendable: `transfers` is the only mutable state, and is touched under `lock` alone.
final class TransferDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var transfers: [Int: SessionTransfer] = [:]

    /// The number of tasks that were made and have not ended. For tests.
    var openTransferCount: Int { lock.withLock { transfers.count } }

    func register(_ transfer: SessionTransfer, for task: URLSessionTask) {
        lock.withLock { transfers[task.taskIdentifier] = transfer }
    }

    private func transfer(for task: URLSessionTask) -> SessionTransfer? {
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

    /// ``URLSessionTransport`` follows redirects itself: on Linux the session would leave out the body of a 307, and
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
    /// On Linux a task that receives a 401 with a challenge for `Basic` ends only after a reply to the challenge. The
    /// task then ends with error -999, after the 401 was delivered (swift-corelibs-foundation issue 5456).
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

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(for: task)?.recordSending(totalBytesSent)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lock.withLock { transfers.removeValue(forKey: task.taskIdentifier) }?
            .complete(error, lastHead: task.response, hiddenLength: task.hiddenLength(at: error))
    }
}

extension URLSessionTask {
    /// Returns the length of a body that a head has announced, also if the session has not delivered that head. Returns
    /// -1 for a head without a length if the task ended with the error -1. Otherwise returns `nil` for such a head, if
    /// there was no head, and always on Apple platforms.
    fileprivate func hiddenLength(at error: (any Error)?) -> Int64? {
        #if canImport(FoundationNetworking)
        switch countOfBytesExpectedToReceive {
        // The number is 0 until there is a head, and for a body of no bytes, which cannot be cut.
        case 0: nil
        // The head has no length. It may also be the head of an interim response, after which the connection was lost.
        case ..<0: (error as? URLError)?.code == .unknown ? -1 : nil
        case let length: length
        }
        #else
        // On Apple platforms the transfer receives every head.
        nil
        #endif
    }
}
