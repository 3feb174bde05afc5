import Foundation

/// What the stages of one call leave for each other and for its error.
// Sendable: every access to the three variables happens between `lock()` and `unlock()` of one lock.
final class CallRecord: @unchecked Sendable {
    private static let mostEvents = 256

    private let lock = NSLock()
    private let start = ContinuousClock.now
    private var notes: [CallEvent] = []
    private var lastRequest: HTTPRequest?
    private var lastResponse: HTTPResponse?

    var events: [CallEvent] { lock.withLock { notes } }
    var request: HTTPRequest? { lock.withLock { lastRequest } }
    var response: HTTPResponse? { lock.withLock { lastResponse } }

    func note(_ text: String) {
        let event = CallEvent(time: start.duration(to: .now), text: text)
        lock.withLock {
            if notes.count == Self.mostEvents { notes.removeFirst() }
            notes.append(event)
        }
    }

    /// A response belongs to the request sent before it, so a new request forgets the old response.
    func sent(_ request: HTTPRequest) {
        lock.withLock {
            lastRequest = request
            lastResponse = nil
        }
    }

    func received(_ response: HTTPResponse) {
        lock.withLock { lastResponse = response }
    }
}
