import Foundation

extension CallContext {
    /// Notes that the transport itself has sent the request a second time. The effect of the first request is unknown.
    func noteSentAgain() {
        note("sent again on another connection: the kept one ended before a response")
        record.recordLoss()
    }

    /// The last request that a server may have carried out before this attempt (``CallRecord/lastSent``); `nil` if
    /// there is none.
    var requestSentBefore: HTTPRequest? { record.lastSent }

    /// Starts to watch the requests that transports send in this run or attempt.
    func watchRequests() { record.watchRequests() }

    /// The requests sent since ``watchRequests()``; without targets if the transport records no requests.
    var watchedRequests: SentRequests { record.watchedRequests }

    /// Records that a middleware (``Failover``) sends a request to another base address, which is equivalent. Such a
    /// change is not a redirect. `other` equals `base` if the request keeps its base address.
    func recordMove(from base: URL, to other: URL) { record.recordMove(from: base, to: other) }

    /// Returns the base address of `bases` that a middleware has chosen last in this call; `nil` if none was chosen.
    func lastChoice(of bases: [URL]) -> URL? { record.lastChoice(of: bases) }
}
