import Bilayer
import Foundation

extension Samples {
    static let middlewares = [
        Sample("RetryPolicy") {
            var policy = RetryPolicy.exponential(attempts: 3)
            policy.makeIdempotencyKey = { secret }
            policy.methods = [HTTPMethod(stringLiteral: secret)]
            return [policy]
        },
        Sample("RetryJitter") { [RetryJitter.none] },
        Sample("Retry") { [Retry(.exponential(attempts: 3))] },
        Sample("Deadline") { [Deadline(.seconds(1))] },
        Sample("AttemptDeadline") { [AttemptDeadline(.seconds(1))] },
        Sample("BearerToken") { [BearerToken(secret, refreshToken: secret)] },
        Sample("BearerTokens") { [tokens()] },
        Sample("AuthenticationError") {
            await errors(for: foreignErrors) { error in
                let tokens = BearerTokens { () -> String in throw error }
                _ = try await answering.wrapped(by: .authentication(tokens)).process(plainRequest)
            }
        },
        Sample("Authentication") { [Authentication(tokens())] },
        Sample("Refusal") {
            let refusals = Collected()
            let transport = answering.wrapped(
                by: Authentication(tokens()) { refusal in
                    await refusals.add(refusal)
                    return false
                }
            )
            _ = try? await transport.process(plainRequest)
            return await refusals.values
        },
        Sample("BasicAuthentication") { [BasicAuthentication(user: secret, password: secret)] },
        Sample("Signing") { [Signing { $0 }] },
        Sample("Deduplication") { [Deduplication(ignoring: [HTTPHeaders.Name(secret)])] },
        Sample("ConcurrencyLimit") { [ConcurrencyLimit(perHost: 1)] },
        Sample("RateLimit") { [RateLimit(1, per: .seconds(1))] },
        Sample("CircuitBreaker") { [CircuitBreaker()] },
        Sample("CircuitOpenError") {
            let failing = AnyNode<HTTPRequest, HTTPResponse> { _, _ in HTTPResponse(status: 500) }
            let transport = failing.wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
            return await errors(for: [plainRequest, plainRequest]) { _ = try await transport.process($0) }
        },
        Sample("Failover") { [Failover([url])] },
        Sample("RedirectPolicy") { [RedirectPolicy.follow()] },
        Sample("HeaderProvider") { [HeaderProvider { _ in [.accept: secret] }] },
    ]

    private static let plainRequest = HTTPRequest(url: url)
    private static let answering = AnyNode<HTTPRequest, HTTPResponse> { _, _ in response }
    private static func tokens() -> BearerTokens { BearerTokens(secret) { secret } }
}

private actor Collected {
    private(set) var values: [any Sendable] = []
    func add(_ value: some Sendable) { values.append(value) }
}
