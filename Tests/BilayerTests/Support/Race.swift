import Bilayer
import Foundation

/// Sends the request to several hosts at once. The outcome is the first one, or by the rule `firstResponse` the first
/// response; if there is none, the last failure.
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
