import Foundation

extension CallContext {
    /// Notes that the transport itself has sent the request a second time. What the first one has changed is unknown.
    func noteSentAgain() {
        note("sent again on another connection: the kept one ended before a response")
        record.noteLoss()
    }

    /// The last request of the call that a server may have got before this attempt; `nil` if there is none.
    var requestSentBefore: HTTPRequest? { record.lastSent }

    /// Watches what transports send in this part of the call, from now on.
    func watchRequests() { record.watchRequests() }

    /// What was sent since ``watchRequests()``; without targets if the transport records no requests.
    var watchedRequests: SentRequests { record.watchedRequests }

    /// Notes that a middleware sends a request to an equivalent base address. That is no redirect.
    func noteMove(from base: URL, to other: URL) { record.noteMove(from: base, to: other) }
}
