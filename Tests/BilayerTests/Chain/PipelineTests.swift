import Bilayer
import BilayerTesting
import Foundation
import Testing

private let request = HTTPRequest(method: .get, url: URL("https://example.com/x"))

private func pipeline(
    encode: @escaping @Sendable (Int, CallContext) async throws -> HTTPRequest = { _, _ in request },
    transport: @escaping @Sendable (HTTPRequest, CallContext) async throws -> HTTPResponse = { _, _ in
        HTTPResponse(status: 200, body: Data("abc".utf8))
    },
    map: @escaping @Sendable (HTTPResponse, CallContext) async throws -> Int = { response, _ in response.body.count },
    convert: @escaping @Sendable (Int, CallContext) async throws -> String = { dto, _ in "\(dto)" }
) -> Pipeline<
    AnyNode<Int, HTTPRequest>, AnyNode<HTTPRequest, HTTPResponse>, AnyNode<HTTPResponse, Int>, AnyNode<Int, String>
> {
    Pipeline(
        requestEncoding: AnyNode(named: "Encode", encode),
        transport: AnyNode(named: "Carry", transport),
        rawMapping: AnyNode(named: "Map", map),
        dtoConversion: AnyNode(named: "Convert", convert)
    )
}

private struct Fault: Error, Equatable {}

@Suite("Pipeline")
struct PipelineTests {
    @Test func runsItsFourStages() async throws {
        #expect(try await pipeline().process(1) == "3")
    }

    /// The pipeline has the settings of the client and of the route, as a call of the client has.
    @Test func thePipelineOfAClientRunsWithItsSettings() async throws {
        struct RunEntry: Codable, RawMappable, Sendable { let userName: String }
        let stub = StubTransport(.json(#"{"user_name":"Ada"}"#))
        let tokens = BearerTokens("s3cr3t") { "new" }
        var client = Client(
            baseURL: URL("https://api.example.com"),
            transport: stub.wrapped(by: .authentication(tokens))
        )
        client.conventions.keys = .snakeCase
        let own = try await client.pipeline(for: Route<RunEntry>.get("me")).process()
        #expect(own.userName == "Ada")
        client.request.append { request, _ in
            var request = request
            request.url = URL("https://other.example.com/me")
            return request
        }
        let other = client.pipeline(for: Route<RunEntry>.get("me").with(option: RetryPolicy.never))
        _ = try await other.process()
        let elsewhere = StubTransport(.status(503))
        let retried = elsewhere.wrapped(by: .retry(.exponential(attempts: 3, firstWait: .zero)))
        _ = try? await other.replacing(transport: retried).process()
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer s3cr3t", nil])
        #expect(elsewhere.requests.count == 1)
    }

    @Test func printsOneFlatLineWithTheNamesOfItsStages() {
        #expect(
            "\(pipeline())"
                == "request encoding: Encode | transport: Carry | raw mapping: Map | DTO conversion: Convert"
        )
    }

    @Test func eachStageCanBeReplacedAlone() async throws {
        let original = pipeline()
        #expect(
            try await original
                .replacing(
                    transport: AnyNode { _, _ in HTTPResponse(status: 200, body: Data("12345".utf8)) }
                )
                .process(1) == "5"
        )
        #expect(try await original.replacing(rawMapping: AnyNode { _, _ in 42 }).process(1) == "42")
        #expect(try await original.replacing(dtoConversion: AnyNode { dto, _ in dto * 2 }).process(1) == 6)
        #expect(
            try await original.replacing(requestEncoding: AnyNode<String, _> { _, _ in request }).process("x") == "3"
        )
        #expect(
            try await original
                .replacing(
                    rawMapping: AnyNode { _, _ in true },
                    dtoConversion: AnyNode { flag, _ in !flag }
                )
                .process(1) == false
        )
    }

    @Test func anErrorNamesItsStageAndKeepsWhatIsKnown() async throws {
        let encoding = await #expect(throws: CallError.self) {
            try await pipeline(encode: { _, _ in throw Fault() }).process(1)
        }
        #expect(encoding?.stage == .requestEncoding)
        #expect(encoding?.request == nil && encoding?.response == nil)
        #expect(encoding?.underlyingError is Fault)

        let transport = await #expect(throws: CallError.self) {
            try await pipeline(transport: { _, _ in throw Fault() }).process(1)
        }
        #expect(transport?.stage == .transport)
        #expect(transport?.request == request && transport?.response == nil)

        let mapping = await #expect(throws: CallError.self) {
            try await pipeline(map: { _, _ in throw Fault() }).process(1)
        }
        #expect(mapping?.stage == .rawMapping)
        #expect(mapping?.response?.body == Data("abc".utf8))

        let conversion = await #expect(throws: CallError.self) {
            try await pipeline(convert: { _, _ in throw MappingError(MappingIssue(.missing, path: [.key("a")])) })
                .process(1)
        }
        #expect(conversion?.stage == .dtoConversion)
        #expect(conversion?.issues.map(\.path) == [[.key("a")]])
        #expect(
            conversion?.description == """
                GET https://example.com/x -> 200 OK, 3 B: DTO conversion failed
                  $.a: missing
                """
        )
    }

    @Test func theErrorShowsTheRequestAsSent() async {
        let error = await #expect(throws: CallError.self) {
            try await pipeline(transport: { request, context in
                var changed = request
                changed.headers["X-Attempt"] = "2"
                context.recordSent(changed)
                throw Fault()
            })
            .process(1)
        }
        #expect(error?.request?.headers["X-Attempt"] == "2")
    }

    @Test func aCallErrorThatAStageMakesOfItsOwnCallIsNotWrappedAgain() async {
        let error = await #expect(throws: CallError.self) {
            try await pipeline(map: { _, context in throw CallError(Fault(), in: .transport, of: context) }).process(1)
        }
        #expect(error?.stage == .transport)
        #expect(error?.underlyingError is Fault)
    }

    @Test func foreignErrorsArePrintedWithoutTheirValues() async {
        enum Refusal: Error { case card(number: String) }
        struct Leaky: Error { let password = "hunter2" }
        for fault in [Refusal.card(number: "4111"), Leaky()] as [any Error] {
            let error = await #expect(throws: CallError.self) {
                try await pipeline(convert: { _, _ in throw fault }).process(1)
            }
            let text = error?.description ?? ""
            #expect(!text.contains("4111") && !text.contains("hunter2"))
            #expect(text.contains("Refusal.card") || text.contains("Leaky"))
        }
    }
}
