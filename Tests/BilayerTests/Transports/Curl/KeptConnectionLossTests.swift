#if os(Linux)
import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// RFC 9110 §9.2.2: a request that is not idempotent is not sent again by itself, because the server may have done what
/// it asks for.
@Suite("A kept connection that ends while the response is awaited", .timeLimit(.minutes(5)))
struct KeptConnectionLossTests {
    private static let key: HTTPHeaders = [.idempotencyKey: "k-1"]

    /// Sends a request over a connection that has served another one.
    private func send(
        _ method: HTTPMethod,
        _ headers: HTTPHeaders = [:],
        body: HTTPBody?,
        to server: FaultServer,
        over transport: some Node<HTTPRequest, HTTPResponse>,
        in context: CallContext = CallContext()
    ) async throws -> HTTPResponse {
        server.on(.get, "/first", .json("{}"))
        _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "first")))
        let url = server.url.appending(path: "orders")
        let request = HTTPRequest(method: method, url: url, headers: headers, body: body)
        return try await transport.process(request, in: context)
    }

    private func count(_ method: HTTPMethod, at server: FaultServer) -> Int {
        server.requests.filter { $0.method == method && $0.path == "/orders" }.count
    }

    @Test(
        arguments: [HTTPMethod.post, .patch],
        [Reply.closeBeforeAnswer, .closeInHead(after: 1), .closeInHead(after: 14)]
    )
    func failsACallThatIsNotIdempotent(method: HTTPMethod, reply: Reply) async throws {
        let server = try await FaultServer.start()
        server.on(method, "/orders", reply, .json("{}"))
        for body in [nil, HTTPBody.data(Data("{}".utf8)), HTTPBody.data(Data(count: 2_000_000))] {
            let sent = count(method, at: server)
            let context = CallContext()
            let error = await #expect(throws: TransportError.self) {
                try await send(method, body: body, to: server, over: CurlTransport(), in: context)
            }
            #expect(error?.kind == .connectionLost)
            #expect(!context.events.contains { $0.description.contains("sent again") })
            #expect(count(method, at: server) == sent + 1)
            server.on(method, "/orders", reply, .json("{}"))
        }
    }

    private func once(length: Int? = nil) -> HTTPBody {
        .stream(length: length) { HTTPBody.data(Data(count: 1_000)) }
    }

    /// libcurl asks for the body from its start before it asks whether it may send the request again.
    @Test(arguments: [HTTPMethod.post, .put], [nil, 1_000])
    func failsACallWhoseBodyCanBeSentOnce(method: HTTPMethod, length: Int?) async throws {
        let server = try await FaultServer.start()
        server.on(method, "/orders", .closeBeforeAnswer, .json("{}"))
        let body = once(length: length)
        let error = await #expect(throws: TransportError.self) {
            try await send(method, Self.key, body: body, to: server, over: CurlTransport())
        }
        #expect(error?.kind == .connectionLost)
        let reason = "found the end of the kept connection, expected a response; its body can be sent once"
        #expect(error?.detail == reason)
        #expect(count(method, at: server) == 1)
    }

    @Test func ofABodyThatCanBeSentOnceOpensTheCircuit() async throws {
        let server = try await FaultServer.start()
        server.on(.post, "/orders", .closeBeforeAnswer)
        let transport = try CurlTransport().wrapped(by: .circuitBreaker(failures: 1, pause: .seconds(86_400)))
        let body = once()
        await #expect(throws: TransportError.self) { try await send(.post, body: body, to: server, over: transport) }
        await #expect(throws: CircuitOpenError.self) { try await send(.post, body: nil, to: server, over: transport) }
    }

    @Test(arguments: [(HTTPMethod.get, HTTPHeaders()), (.put, HTTPHeaders()), (.post, key)])
    func anIdempotentRequestIsSentAgain(method: HTTPMethod, headers: HTTPHeaders) async throws {
        let server = try await FaultServer.start()
        server.on(method, "/orders", .closeBeforeAnswer, .json("{}"))
        let body = method == .get ? nil : HTTPBody.data(Data("{}".utf8))
        let response = try await send(method, headers, body: body, to: server, over: CurlTransport())
        #expect(response.status == 200)
        #expect(count(method, at: server) == 2)
    }

    /// The first request may have made the change, although the second one was refused.
    @Test func aChangeThatWasSentTwiceInvalidates() async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/orders", .json("1", headers: ["Cache-Control": "max-age=600"]))
        server.on(.put, "/orders", .closeBeforeAnswer, .status(503))
        let transport = try CurlTransport().wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20))))
        let list = HTTPRequest(url: server.url.appending(path: "orders"))
        _ = try await transport.process(list)
        let context = CallContext()
        let put = HTTPRequest(method: .put, url: list.url, body: .data(Data("2".utf8)))
        #expect(try await transport.process(put, in: context).status == 503)
        #expect(count(.put, at: server) == 2)
        #expect(context.events.contains { $0.description.contains("sent again on another connection") })
        #expect(try await transport.process(list).cacheStatus == .miss)
    }

    /// <doc:Transports> has a row for this: on Linux, libcurl sends the request again inside `URLSession`, and the
    /// transport cannot prevent it. A request with a body ends at its time limit instead, because libcurl cannot read
    /// the body again there.
    @Test(arguments: [nil, HTTPBody.data(Data("{}".utf8))]) func aURLSessionSendsAPostTwice(
        body: HTTPBody?
    ) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/first", .json("{}"))
        server.on(.post, "/orders", .closeBeforeAnswer, .json("{}"))
        let transport = URLSessionTransport()
        _ = try await transport.process(HTTPRequest(url: server.url.appending(path: "first")))
        var request = HTTPRequest(method: .post, url: server.url.appending(path: "orders"), body: body)
        request.timeout = .seconds(1)
        if body == nil {
            #expect(try await transport.process(request).status == 200)
            #expect(count(.post, at: server) == 2)
        } else {
            let error = await #expect(throws: TransportError.self) { try await transport.process(request) }
            #expect(error?.kind == .timedOut)
            #expect(count(.post, at: server) == 1)
        }
    }
}
#endif
