import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct Fault: Error, Equatable {
    let host: String
}

private struct PlainFault: Error {
    let host: String
}

/// Sends to one host after the other. Throws the error of the first failure, although others came later.
private struct FirstFailure: Middleware {
    let hosts: [String]

    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        var failures: [any Error] = []
        for host in hosts {
            do {
                return try await next.process(HTTPRequest(url: url(of: host)), in: context)
            } catch {
                failures.append(error)
            }
        }
        throw failures[0]
    }
}

private func url(of host: String) -> URL {
    URL(string: "https://\(host)/x") ?? URL("https://none.example")
}

private func client(
    _ middleware: some Middleware<HTTPRequest, HTTPResponse>,
    _ answer: @escaping @Sendable (String) async throws -> HTTPResponse
) -> Client {
    let transport = AnyNode<HTTPRequest, HTTPResponse> { request, _ in try await answer(request.url.host() ?? "") }
    return Client(baseURL: URL("https://base.example"), transport: transport.wrapped(by: middleware))
}

private func error(_ client: Client) async throws -> CallError {
    let route = Route<[UserEntry]>.get("users")
    return try #require(await #expect(throws: CallError.self) { try await client.fetch(route) })
}

private func response(_ status: HTTPStatus, _ body: String = "{}") -> HTTPResponse {
    HTTPResponse(status: status, body: Data(body.utf8))
}

@Suite("A middleware that runs the transport more than once")
struct AttemptTests {
    @Test(arguments: 0..<50) func theFirstOutcomeOfARaceShowsItsOwnRequest(round: Int) async throws {
        let client = client(Race(hosts: ["slow.example", "fast.example"])) { host in
            if host == "slow.example" { try await Task.sleep(for: .seconds(3_600)) }
            if round.isMultiple(of: 2) { throw Fault(host: host) }
            return response(500)
        }
        let error = try await error(client)
        #expect(error.request?.url.host() == "fast.example")
        #expect(error.status == (round.isMultiple(of: 2) ? nil : 500))
    }

    @Test(arguments: [true, false]) func ofFailuresThatDifferTheOneThatIsThrownCounts(isEquatable: Bool) async throws {
        let hosts = (0..<5).map { "host\($0).example" }
        let client = client(FirstFailure(hosts: hosts)) { host in
            if isEquatable { throw Fault(host: host) }
            throw PlainFault(host: host)
        }
        #expect(try await error(client).request?.url.host() == "host0.example")
    }

    @Test(arguments: 0..<50) func theResponseOfARaceShowsItsOwnRequest(round: Int) async throws {
        let client = client(Race(hosts: ["one.example", "two.example", "three.example"], rule: .firstResponse)) {
            host in
            for _ in 0..<(round * host.utf8.count) % 7 { await Task.yield() }
            if host == "two.example" { throw Fault(host: host) }
            return response(200, "{\"host\":\"\(host)\"}")
        }
        let error = try await error(client)
        let body = try Json(parsing: #require(error.response?.body))
        #expect(error.request?.url.host() == body["host"]?.string)
        #expect(error.stage == .rawMapping)
    }

    @Test func ofEqualOutcomesOneAfterTheOtherTheLastCounts() async throws {
        let client = client(Retrying(attempts: 3)) { _ in response(503) }
        let error = try await error(client)
        #expect(error.request?.headers["X-Attempt"] == "3")
        #expect(error.status == 503)
    }

    @Test func aResponseThatAMiddlewareMadeKeepsTheLastRequest() async throws {
        let client = client(Replacing()) { _ in response(200) }
        let error = try await error(client)
        #expect(error.request?.url.host() == "base.example")
        #expect(error.status == 504)
    }

    @Test func attemptsWithinAttemptsAreToldApart() async throws {
        let inner = AnyNode<HTTPRequest, HTTPResponse> { request, _ in
            if request.url.host() == "slow.example" { try await Task.sleep(for: .seconds(3_600)) }
            return response(503)
        }
        let transport = inner.wrapped(by: Race(hosts: ["slow.example", "fast.example"]))
            .wrapped(by: Retrying(attempts: 2))
        let error = try await error(Client(baseURL: URL("https://base.example"), transport: transport))
        #expect(error.request?.url.host() == "fast.example")
    }

    @Test func pipelinesThatRaceInOneContextDoNotMixTheirRequests() async throws {
        let transport = AnyNode<HTTPRequest, HTTPResponse> { request, _ in
            await Task.yield()
            return response(200, "{\"path\":\"\(request.url.path)\"}")
        }
        let client = Client(baseURL: URL("https://base.example"), transport: transport)
        let collected = CollectingReporter()
        let context = CallContext(reporter: collected)
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let route = Route<[UserEntry]>.get("users/\(number)")
                    let error = await #expect(throws: CallError.self) {
                        try await client.pipeline(for: route).process(in: context)
                    }
                    #expect(error?.request?.url.path == "/users/\(number)")
                    #expect(
                        error.flatMap { try? Json(parsing: $0.response?.body ?? Data()) }?["path"]?.string
                            == "/users/\(number)"
                    )
                }
            }
        }
        #expect(collected.reports.count == 100)
        #expect(collected.reports.allSatisfy { $0.issues.count == 1 })
    }
}

private struct Retrying: Middleware {
    let attempts: Int

    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        var last = HTTPResponse(status: 504)
        for attempt in 1...attempts {
            var request = input
            request.headers["X-Attempt"] = "\(attempt)"
            last = try await next.process(request, in: context)
        }
        return last
    }
}

private struct Replacing: Middleware {
    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        _ = try await next.process(input, in: context)
        return HTTPResponse(status: 504)
    }
}
