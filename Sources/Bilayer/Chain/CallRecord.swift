import Foundation

/// What the stages of one call leave for each other and for its error.
///
/// Unchecked: `lastSentRequest` is touched under `lock` alone.
final class CallRecord: @unchecked Sendable {
    private let lock = NSLock()
    private var lastSentRequest: HTTPRequest?

    /// The last request that went on the wire.
    var sentRequest: HTTPRequest? {
        get { lock.withLock { lastSentRequest } }
        set { lock.withLock { lastSentRequest = newValue } }
    }
}
