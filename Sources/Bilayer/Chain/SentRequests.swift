import Foundation

/// The addresses that transports have sent requests to, redirects included, in the order of their last use after the
/// first one.
struct SentRequests: Sendable {
    /// A method and an address.
    struct Target: Sendable, Equatable {
        let method: HTTPMethod
        let url: URL
    }

    private(set) var targets: [Target] = []
    /// The addresses that a middleware has chosen instead of those of its requests.
    private var moved: [URL: URL] = [:]

    mutating func add(_ request: HTTPRequest) {
        let target = Target(method: request.method, url: moved[request.url] ?? request.url)
        if let index = targets.dropFirst().firstIndex(of: target) { targets.remove(at: index) }
        targets.append(target)
    }

    mutating func addMove(from url: URL, to other: URL) { moved[other] = url == other ? nil : url }
}
