import Foundation

/// The addresses that transports have sent requests to, redirects included, each as it was before a ``Failover`` moved
/// it to an equivalent base address. The first address stays first. The other addresses are in the order of their last
/// use.
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
    /// Whether the effect of a sent request is unknown: its attempt ended with an error that leaves the effect unknown,
    /// or the transport itself has sent the request again.
    var hasLoss = false
    /// The moves of a middleware from one base address to an equivalent one.
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

    /// Returns the address before a middleware moved it to an equivalent base address. The path may differ from the
    /// path of the first request, because of a redirect.
    func original(of url: URL) -> URL {
        moves.reversed().reduce(url) { $0.moved(from: $1.other, to: $1.base) ?? $0 }
    }
}
