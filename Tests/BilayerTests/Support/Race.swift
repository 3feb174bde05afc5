import Bilayer
import Foundation

/// Sends the request to several hosts at once, and has the outcome that comes first. Under the rule `firstResponse`, it
/// has the first response, or the last failure if there is no response.
struct Race: Middleware {
    enum Rule: CaseIterable { case firstOutcome, firstResponse }

    let hosts: [String]
    var rule = Rule.firstOutcome

    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for host in hosts {
                let url = URL(string: "https://\(host)/x") ?? input.url
                group.addTask { try await next.process(HTTPRequest(url: url), in: context) }
            }
            defer { group.cancelAll() }
            var failure: any Error = CancellationError()
            while let result = await group.nextResult() {
                switch result {
                case .success(let response): return response
                case .failure(let error) where rule == .firstOutcome: throw error
                case .failure(let error): failure = error
                }
            }
            throw failure
        }
    }
}
