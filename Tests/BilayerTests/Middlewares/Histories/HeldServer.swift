import Foundation

@testable import Bilayer

/// A server that holds each request until the test answers it, or until it is cancelled.
final class HeldServer: Sendable {
    private struct State: Sendable {
        var requests: [HTTPRequest] = []
        var held: [Int: CheckedContinuation<HTTPResponse, any Error>] = [:]
        var cancelled: Set<Int> = []
    }

    private let state = Locked(State())

    var transport: AnyNode<HTTPRequest, HTTPResponse> {
        AnyNode { request, _ in try await self.hold(request) }
    }

    /// All requests so far, in the order of arrival.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The requests that wait for their answer, by their place in the order of arrival.
    var held: Set<Int> { state.withLock { Set($0.held.keys) } }

    /// The requests that were cancelled while they were held.
    var cancelled: Set<Int> { state.withLock { $0.cancelled } }

    /// The number of the last request with that path; -1 if there is none.
    func number(ofPath path: String) -> Int { requests.lastIndex { $0.url.path() == path } ?? -1 }

    func answer(_ number: Int, _ response: HTTPResponse) {
        state.withLock { $0.held.removeValue(forKey: number) }?.resume(returning: response)
    }

    private func hold(_ request: HTTPRequest) async throws -> HTTPResponse {
        let number = state.withLock { state in
            state.requests.append(request)
            return state.requests.count - 1
        }
        return try await state.wait { state, continuation in
            state.held[number] = continuation
            return .waits()
        } leave: { state in
            state.withLock { state in
                state.cancelled.insert(number)
                return state.held.removeValue(forKey: number)
            }
        }
    }
}

extension HTTPRequest {
    /// A request of a history to `https://` with this host and path.
    init(_ place: String) { self.init(url: URL(string: "https://\(place)") ?? URL("https://none.example/")) }
}
