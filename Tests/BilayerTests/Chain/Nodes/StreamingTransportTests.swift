import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

@Suite("A transport says whether it streams")
struct StreamingTransportTests {
    /// A transport that does not declare `streamsResponses`; ``Streaming`` does.
    private struct Whole: Transport {
        func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
            HTTPResponse(status: 200, body: Data("{\"price\":1}\n".utf8))
        }
    }

    private struct Streaming: Transport {
        var streamsResponses: Bool { true }

        func process(_ request: HTTPRequest, in context: CallContext) async throws -> HTTPResponse {
            try await Whole().process(request, in: context)
        }
    }

    private struct Passing: Middleware {
        func intercept(
            _ request: HTTPRequest,
            in context: CallContext,
            next: some Node<HTTPRequest, HTTPResponse>
        ) async throws -> HTTPResponse {
            try await next.process(request, in: context)
        }
    }

    private static let closure = AnyNode<HTTPRequest, HTTPResponse> { try await Whole().process($0, in: $1) }
    private static let url = URL("https://example.com")

    private func client(_ transport: some Node<HTTPRequest, HTTPResponse>) -> Client {
        Client(baseURL: Self.url, transport: transport)
    }

    @Test("when the client is made, through whatever is around it")
    func chains() {
        for (transport, expected) in [(Whole().erased(), false), (Streaming().erased(), true), (Self.closure, nil)] {
            #expect(client(transport).streamsResponses == expected)
            #expect(client(transport.wrapped(by: Passing())).streamsResponses == expected)
            #expect(
                client(transport.wrapped(by: .retry(.exponential(attempts: 2))).wrapped(by: Passing()).erased())
                    .streamsResponses == expected
            )
            let before = AnyNode<HTTPRequest, HTTPRequest> { request, _ in request }
            #expect(client(before.then(transport)).streamsResponses == expected)
            #expect(client(transport.then { response, _ in response }).streamsResponses == expected)
            #expect(client(RecordingTransport(transport)).streamsResponses == (expected ?? true))
        }
    }

    @Test("the product's own do")
    func own() throws {
        #expect(Client(baseURL: Self.url).streamsResponses == true)
        #expect(client(URLSessionTransport()).streamsResponses == true)
        #expect(client(StubTransport()).streamsResponses == true)
        #expect(client(ReplayingTransport(RecordingTransport(Whole()).recording())).streamsResponses == true)
        #if os(Linux)
        #expect(client(try CurlTransport()).streamsResponses == true)
        #endif
    }

    @Test("a note is there before the request is sent, and only one")
    func note() async throws {
        let seen = Locked<[String]>([])
        let transport = AnyNode<HTTPRequest, HTTPRequest> { request, context in
            seen.withLock { $0 = context.events.map(\.text) }
            return request
        }
        .then(Whole())
        let (_, context) = try await client(transport).open(Route<Json>.get("ticks"))
        let note = "the transport does not stream: the response comes whole"
        #expect(seen.withLock { $0 } == [note])
        #expect(context.events.map(\.text).filter { $0.contains("stream") } == [note])
    }
}

extension Client {
    fileprivate func open<Response>(_ route: Route<Response>) async throws -> (HTTPResponse, CallContext) {
        let context = context(for: route)
        let response = try await openStream(of: route, accepting: nil, in: context, changing: { request, _ in request })
        return (response, context)
    }
}
