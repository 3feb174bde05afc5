import Bilayer
import BilayerTesting
import Foundation
import Testing

private let authentication = Client(baseURL: URL("https://auth.example.com"), transport: StubTransport(.status(418)))

private enum Place: CaseIterable, CustomTestStringConvertible {
    case request, transport, raw, entry, model

    var testDescription: String { "\(self)" }

    var stage: CallError.Stage {
        switch self {
        case .request: .requestEncoding
        case .transport: .transport
        case .raw, .entry: .rawMapping
        case .model: .dtoConversion
        }
    }

    /// A client that makes a second call at this place of each of its calls.
    func client(calling second: @escaping @Sendable (CallContext) async throws -> Void) -> Client {
        var client = Client(baseURL: URL("https://api.example.com"), transport: StubTransport(.json("[]")))
        switch self {
        case .request:
            client.request.append { request, context in
                try await second(context)
                return request
            }
        case .transport: client.transport = AnyNode(client.transport.wrapped(by: CallBefore(second: second)))
        case .raw:
            client.raw.append { json, context in
                try await second(context)
                return json
            }
        case .entry: client.entry.append(CallBetween(second: second))
        case .model: client.model.append(CallBetween(second: second))
        }
        return client
    }
}

private struct CallBefore: Middleware {
    let second: @Sendable (CallContext) async throws -> Void

    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse {
        try await second(context)
        return try await next.process(input, in: context)
    }
}

private struct CallBetween: PassthroughNode {
    let second: @Sendable (CallContext) async throws -> Void

    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value {
        try await second(context)
        return value
    }
}

private struct Once: Middleware {
    func intercept(
        _ input: HTTPRequest,
        in context: CallContext,
        next: some Node<HTTPRequest, HTTPResponse>
    ) async throws -> HTTPResponse { try await next.process(input, in: context) }
}

private let orders = Route<Json>.get("orders")
private let token = Route<Json>.get("token")

@Suite("A call within a stage of another call")
struct NestedCallTests {
    @Test(arguments: Place.allCases)
    fileprivate func itsErrorIsTheCauseOfTheOuterCallsError(place: Place) async throws {
        let client = place.client { _ in _ = try await authentication.fetch(token) }
        let error = try #require(await #expect(throws: CallError.self) { try await client.fetch(orders) })
        #expect(error.stage == place.stage)
        #expect(error.endpoint?.name == "GET orders")
        #expect(error.status == (place == .request || place == .transport ? nil : 200))
        #expect(error.request?.url.host() == (place == .request ? nil : "api.example.com"))
        let inner = try #require(error.underlyingError as? CallError)
        #expect(inner.status == 418 && inner.endpoint?.name == "GET token" && inner.stage == .rawMapping)
        #expect(inner.callID != error.callID)
        #expect(error.failure(as: Json.self) == nil && error.issues.isEmpty)
    }

    @Test(arguments: Place.allCases)
    fileprivate func aSecondPipelineInTheContextOfTheCallIsACallOfItsOwnToo(place: Place) async throws {
        let client = place.client { context in
            _ = try await authentication.pipeline(for: token).process(in: context)
        }
        let error = try #require(await #expect(throws: CallError.self) { try await client.fetch(orders) })
        #expect(error.stage == place.stage)
        #expect(error.status != 418)
        #expect((error.underlyingError as? CallError)?.status == 418)
        #expect((error.underlyingError as? CallError)?.request?.url.host() == "auth.example.com")
    }

    /// Each middleware around the transport makes attempts, and each attempt has a record of its own.
    @Test(arguments: [false, true])
    func aPipelineInTheContextOfAnAttemptIsACallOfItsOwn(succeeds: Bool) async throws {
        let inner = Client(
            baseURL: URL("https://auth.example.com"),
            transport: StubTransport(succeeds ? .json("{}") : .status(418))
        )
        let outer = CollectingReporter()
        var client = Client(baseURL: URL("https://api.example.com"), transport: StubTransport(.status(503)))
        let calling = client.transport.wrapped(by: Once())
            .wrapped(by: CallBefore { context in _ = try await inner.pipeline(for: token).process(in: context) })
        client.transport = AnyNode(calling.wrapped(by: Once()))
        let error = try #require(
            await #expect(throws: CallError.self) { try await client.fetch(orders, reporter: outer) }
        )
        #expect(error.endpoint?.name == "GET orders")
        #expect(error.stage == (succeeds ? .rawMapping : .transport))
        #expect(error.status == (succeeds ? 503 : nil))
        #expect(error.request?.url.host() == "api.example.com")
        #expect((error.underlyingError as? CallError)?.status == (succeeds ? nil : 418))
        // The inner and the outer run both report to `outer`.
        #expect(outer.reports.map(\.side) == (succeeds ? [.response] : [.response, .transport]))
    }

    /// An error counts as a call's own only if this run of the call made it. The memory address of a run does not show
    /// that, because an earlier run may have had the same one.
    @Test func anErrorKeptFromAnEarlierCallIsTheCauseOfALaterOne() async throws {
        let failing = Client(baseURL: URL("https://auth.example.com"), transport: StubTransport(.status(418)))
        for _ in 0..<200 {
            let kept = try #require(await #expect(throws: CallError.self) { try await failing.fetch(token) })
            let client = Place.model.client { _ in throw kept }
            let error = try #require(await #expect(throws: CallError.self) { try await client.fetch(orders) })
            try #require(error.stage == .dtoConversion && error.status == 200)
        }
    }

    @Test func bothCallsAreInTheText() async throws {
        let client = Place.raw.client { _ in _ = try await authentication.fetch(token) }
        let error = await #expect(throws: CallError.self) { try await client.fetch(orders) }
        #expect(
            error?.description == """
                GET https://api.example.com/orders -> 200 OK, 2 B, application/json: raw mapping failed
                  GET https://auth.example.com/token -> 418, 0 B
                    status 418
                """
        )
    }

    @Test(arguments: Place.allCases)
    fileprivate func itsCancellationStaysACancellation(place: Place) async {
        let client = place.client { _ in throw CancellationError() }
        await #expect(throws: CancellationError.self) { try await client.fetch(orders) }
    }

    @Test(arguments: Place.allCases)
    fileprivate func eachCallReportsItsFailureOnce(place: Place) async throws {
        let inner = CollectingReporter()
        let outer = CollectingReporter()
        let client = place.client { _ in _ = try await authentication.fetch(token, reporter: inner) }
        await #expect(throws: CallError.self) { try await client.fetch(orders, reporter: outer) }
        #expect(inner.reports.map { $0.endpoint?.name } == ["GET token"])
        #expect(outer.reports.map { $0.endpoint?.name } == ["GET orders"])
        #expect(outer.issues.count == 1 && outer.issues.first?.underlyingError is CallError)
    }
}
