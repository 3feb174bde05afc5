import Foundation

extension CallContext {
    /// Watches what transports send in this part of the call, from now on.
    func watchRequests() { record.watchRequests() }

    /// What was sent since ``watchRequests()``; empty if the transport records no requests.
    var watchedRequests: [SentRequests.Target] { record.watchedRequests }

    /// Notes that a middleware sends a request to an equivalent address. That is no redirect.
    func noteMove(from url: URL, to other: URL) { record.noteMove(from: url, to: other) }
}
