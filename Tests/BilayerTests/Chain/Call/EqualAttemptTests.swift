import Bilayer
import Foundation
import Testing

/// What a host answers with. All hosts answer alike, so that only the attempt distinguishes the outcomes.
private enum Answer: CaseIterable, CustomTestStringConvertible {
    case status, timeout

    var testDescription: String { "\(self)" }

    func outcome() throws -> HTTPResponse {
        switch self {
        case .status: return HTTPResponse(status: 503, body: Data("busy".utf8))
        case .timeout: throw TransportError(.timedOut)
        }
    }
}

/// Sends to all hosts at the same time, waits for all of them, and ends with the outcome of one.
private struct Chosen: Middleware {
    let hosts: [String]
    let host: String

    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        let chosen = await withTaskGroup(of: (String, Result<HTTPResponse, any Error>).self) { group in
            for host in hosts {
                group.addTask { (host, await outcome(of: host, next, in: context)) }
            }
            var chosen = Result<HTTPResponse, any Error>.failure(CancellationError())
            for await (host, outcome) in group where host == self.host { chosen = outcome }
            return chosen
        }
        return try chosen.get()
    }

    private func outcome(
        of host: String,
        _ next: some Node<HTTPRequest, HTTPResponse>,
        in context: CallContext
    ) async -> Result<HTTPResponse, any Error> {
        do {
            return .success(try await next.process(HTTPRequest(url: url(of: host)), in: context))
        } catch {
            return .failure(error)
        }
    }
}

/// Keeps the response of the first call, and returns it for later calls.
private actor Cache {
    private var response: HTTPResponse?

    func response(_ make: () async throws -> HTTPResponse) async rethrows -> HTTPResponse {
        if let response { return response }
        let made = try await make()
        response = made
        return made
    }
}

private struct Caching: Middleware {
    let cache: Cache

    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        try await cache.response { try await next.process(input, in: context) }
    }
}

private func url(of host: String) -> URL {
    URL(string: "https://\(host)/x") ?? URL("https://none.example")
}

private let hosts = ["one.example", "two.example", "three.example"]

@Suite("Attempts with equal outcomes")
struct EqualAttemptTests {
    private func error(_ answer: Answer, choosing host: String) async throws -> CallError {
        let transport = AnyNode<HTTPRequest, HTTPResponse> { request, _ in
            for _ in 0..<((request.url.host() ?? "").utf8.count % 4) { await Task.yield() }
            return try answer.outcome()
        }
        let client = Client(
            baseURL: URL("https://base.example"),
            transport: transport.wrapped(by: Chosen(hosts: hosts, host: host))
        )
        return try #require(await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("x")) })
    }

    @Test(arguments: Answer.allCases, hosts)
    fileprivate func theErrorShowsTheAttemptThatTheMiddlewareChose(answer: Answer, host: String) async throws {
        for round in 0..<50 {
            let error = try await error(answer, choosing: host)
            #expect(error.request?.url.host() == host, "round \(round)")
        }
    }

    @Test func aChangedResponseStillBelongsToItsAttempt() async throws {
        struct Marking: Middleware {
            func intercept(
                _ input: HTTPRequest,
                in context: CallContext,
                next: some Node<HTTPRequest, HTTPResponse>
            ) async throws -> HTTPResponse {
                var first = try await next.process(HTTPRequest(url: URL("https://one.example/x")), in: context)
                _ = try await next.process(HTTPRequest(url: URL("https://two.example/x")), in: context)
                first.headers["X-Chosen"] = "yes"
                return first
            }
        }
        let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in HTTPResponse(status: 503) }
        let client = Client(baseURL: URL("https://base.example"), transport: transport.wrapped(by: Marking()))
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("x")) }
        #expect(error?.request?.url.host() == "one.example")
        #expect(error?.response?.headers["X-Chosen"] == "yes")
    }

    @Test func attemptsWithinAttemptsAreToldApart() async throws {
        let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in HTTPResponse(status: 503) }
            .wrapped(by: Chosen(hosts: hosts, host: "two.example"))
            .wrapped(by: Chosen(hosts: ["a.example", "b.example"], host: "a.example"))
        let client = Client(baseURL: URL("https://base.example"), transport: transport)
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("x")) }
        #expect(error?.request?.url.host() == "two.example")
    }

    @Test func aResponseOfAnEarlierCallBelongsToNoAttemptOfThisOne() async throws {
        let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in HTTPResponse(status: 503) }
            .wrapped(by: Caching(cache: Cache()))
        let client = Client(baseURL: URL("https://base.example"), transport: transport)
        for path in ["first", "second"] {
            let error = await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get(path)) }
            #expect(error?.request?.url.path == "/\(path)" && error?.status == 503)
        }
    }

    @Test func responsesOfTwoAttemptsAreEqualAndHashAlike() async throws {
        let responses = try await [1, 2]
            .asyncMap { _ in
                try await AnyNode<HTTPRequest, HTTPResponse> { _, _ in HTTPResponse(status: 200) }
                    .wrapped(by: Caching(cache: Cache()))
                    .process(HTTPRequest(url: URL("https://one.example")))
            }
        #expect(Set(responses) == [HTTPResponse(status: 200)])
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
