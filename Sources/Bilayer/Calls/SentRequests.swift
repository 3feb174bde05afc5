import Foundation

/// The addresses that transports have sent requests to, redirects included, in the order of their last use after the
/// first one.
struct SentRequests: Sendable {
    /// A method and an address.
    struct Target: Sendable, Equatable {
        let method: HTTPMethod
        let url: URL
    }

    private struct Move: Equatable {
        let base: URL
        let other: URL
    }

    private(set) var targets: [Target] = []
    /// Whether an attempt has ended with an error after which it is unknown what its request has changed.
    var hasLoss = false
    /// The base addresses that a middleware has chosen instead of others.
    private var moves: [Move] = []

    mutating func add(_ request: HTTPRequest) {
        let target = Target(method: request.method, url: original(of: request.url))
        if let index = targets.dropFirst().firstIndex(of: target) { targets.remove(at: index) }
        targets.append(target)
    }

    mutating func addMove(from base: URL, to other: URL) {
        let move = Move(base: base, other: other)
        if base != other, !moves.contains(move) { moves.append(move) }
    }

    /// The address before a middleware moved it to an equivalent base address; a redirect may have changed its path.
    func original(of url: URL) -> URL {
        moves.reversed().reduce(url) { $0.moved(from: $1.other, to: $1.base) ?? $0 }
    }
}
