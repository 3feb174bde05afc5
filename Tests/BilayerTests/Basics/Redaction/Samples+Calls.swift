import Bilayer
import BilayerTesting
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Samples {
    static let http = [
        Sample("HTTPHeaders") { [headers] },
        Sample("HTTPHeaders.Field") { Array(headers) },
        Sample("HTTPRequest") { await requests() },
        Sample("HTTPResponse") { [response] },
        Sample("HTTPBody") { bodies },
        Sample("HTTPBody.AsyncIterator") { bodies.map { $0.makeAsyncIterator() } },
        Sample("TransferProgress") { [TransferProgress(bytes: 1, total: 2)] },
        Sample("MediaType") { [MediaType("text/html; boundary=\(secret)")].compactMap(\.self) },
        Sample("TransportError") {
            foreignErrors.map { TransportError(.other, underlyingError: $0) }
                + [TransportError(.brokenBody, response: response)]
        },
        Sample("TransferMetrics") { [TransferMetrics(connect: .seconds(1), total: .seconds(2))] },
        Sample("CurlSettings", isOfAnotherPlatform: !hasCurl) { curlSettings() },
        Sample("CurlTLS", isOfAnotherPlatform: !hasCurl) { curlCertificates() },
        Sample("CurlProxy", isOfAnotherPlatform: !hasCurl) { curlProxies() },
        Sample("CurlTransport", isOfAnotherPlatform: !hasCurl) { curlTransports() },
        Sample("CurlError", isOfAnotherPlatform: !hasCurl) { await curlErrors() },
        Sample("URLSessionTransport") {
            let configuration = URLSessionTransport.defaultConfiguration
            configuration.httpAdditionalHeaders = ["Authorization": secret]
            return [URLSessionTransport(configuration: configuration)]
        },
        Sample("RouteBody") { routeBodies },
        Sample("Multipart") {
            [Multipart().adding(secret, secret, headers: headers), Multipart(boundary: { secret })]
        },
        Sample("MultipartError") { multipartErrors() },
        Sample("CompressBody") { [CompressBody(secret) { _ in .data(body) }] },
        Sample("RequestBody") { [RequestBody(body, mediaType: "text/plain; boundary=\(secret)")] },
    ]

    private static let routeBodies: [RouteBody] = [
        .text(secret), .bytes(body), .form(["name": secret]), .json(Json(secret)),
        .file(at: URL(fileURLWithPath: "/\(secret)")), .multipart(Multipart().adding(secret, secret)),
    ]

    private static func multipartErrors() -> [MultipartError] {
        let forms = [
            Multipart().adding("name", secret, headers: ["X-Note": "\(secret)\n"]),
            Multipart(boundary: { "\(secret) \n" }),
        ]
        var errors: [MultipartError] = []
        for form in forms {
            do { _ = try form.requestBody() } catch let error as MultipartError { errors.append(error) } catch {}
        }
        return errors
    }

    private static let bodies = [
        HTTPBody.data(body), .file(at: URL(fileURLWithPath: "/\(secret)")),
        .stream { AsyncStream<Data> { [body] in body } },
    ]

    static let routes = [
        Sample("Endpoint") { [endpoint] },
        Sample("RouteError") {
            let broken = [
                "users/{id}/%?a=\(secret)", "users?a=\(secret)", "users/{id}/{name}?a=\(secret)",
                "users/{id?a=\(secret)",
            ]
            return await errors(for: broken) { path in
                _ = try await BuildRequest(with(path), baseURL: url).process(nil, in: CallContext())
            }
        },
        Sample("PathArguments") { [endpoint.arguments] },
        Sample("QueryItems") { [endpoint.query] },
        Sample("QueryItems.Item") { endpoint.query.items },
        Sample("Client") { [client()] },
        Sample("Answer") { [try? await client().send(route())].compactMap(\.self) },
        Sample("Route") { [route(), Route<Json>.post("a", body: Json(secret))] },
        Sample("RouteVerb") { [Route<Json>.get] },
        Sample("CallHandle") { [client().fetch(route()) { _ in }] },
        Sample("CallPublisher", isOfAnotherPlatform: !hasCombine) { publishers() },
    ]

    static let chain = [
        Sample("CallContext") { [await context()] },
        Sample("CallEvent.Kind") {
            let lost = foreignErrors.flatMap { error -> [CallEvent.Kind] in
                [.lost(error), .ended(CallMetrics(), failure: error), .stageEnded(.transport, failure: error)]
            }
            return await requests().map { CallEvent.Kind.sent($0) } + lost
        },
        Sample("DefaultTransport") { [DefaultTransport()] },
        Sample("CallMetrics") { [CallMetrics()] },
        Sample("CallLog") { [CallLog { _ in }] },
        Sample("CallObservers") { [CallObservers([CallLog { _ in }])] },
        Sample("TraceParent") { [TraceParent { 1 }] },
        Sample("TracePropagation") { [TracePropagation()] },
        Sample("CallOptions") {
            var options = CallOptions()
            options[SecretOption.self] = SecretOption(value: secret)
            return [options]
        },
        Sample("CallEvent") {
            let context = await Samples.context()
            context.note("retried")
            return context.events
        },
        Sample("CallError") {
            let context = await Samples.context()
            return foreignErrors.map { CallError($0, in: .rawMapping, of: context) } + (await failedCalls())
        },
        Sample("StatusError") {
            await failedCalls().compactMap { ($0 as? CallError)?.underlyingError as? StatusError }
        },
        Sample("BodyError") {
            await errors(for: ["text/html; boundary=\(secret)", "application/json"]) { type in
                let response = HTTPResponse(status: 200, headers: [.contentType: type], body: Data("[\(secret)".utf8))
                _ = try await ParseJson().process(response, in: CallContext())
            }
        },
        Sample("BuildRequest") { [build] },
        Sample("CheckStatus") { [CheckStatus(failure: AnyNode<HTTPResponse, any Sendable> { _, _ in secret })] },
        Sample("AnyNode") { [build.erased(), AnyNode<Void, String> { _, _ in secret }] },
        Sample("Then") { [build.then(Careless())] },
        Sample("Wrapped") { [build.wrapped(by: Around())] },
        Sample("Pipeline") { [client().pipeline(for: route())] },
        Sample("NodeList") {
            var list = NodeList<HTTPRequest>()
            list.append(Careless())
            return [NodeList<HTTPRequest>(), list]
        },
        Sample("PassthroughList") {
            var list = PassthroughList()
            list.append(Passing())
            return [PassthroughList(), list]
        },
    ]

    static let testing = [
        Sample("RecordedRequest") {
            guard let server = try? await FaultServer.start() else { return [] }
            _ = try? await Client(baseURL: server.url).fetch(Route<Json>.get("a?token=\(secret)", headers: headers))
            return server.requests
        },
        Sample("Reply") { [Reply.json(secret, headers: headers)] },
        Sample("Reply.Action") {
            let actions: [Reply.Action] = [.head(secret), .body(secret), .pause(.seconds(1)), .hold, .close, .reset]
            return actions
        },
        Sample("FaultServer") {
            guard let server = try? await FaultServer.start() else { return [] }
            server.on(.get, "/\(secret)", .json(secret))
            return [server]
        },
        Sample("StubTransport") { [StubTransport(.json(secret)), await stub()] },
        Sample("StubTransport.Answer") { [StubTransport.Answer.json(secret)] },
        Sample("RecordingTransport") { [await recording()] },
        Sample("RecordingTransport.Exchange") { await recording().exchanges },
    ]
}

extension Samples {
    private static let build = BuildRequest(endpoint, baseURL: url, headers: headers)

    private static let replies: [StubTransport.Answer] = [
        .json("{\"token\":\"\(secret)\"}", status: 403, headers: headers), .json("[\(secret)", status: 500),
        .json("\"\(secret)\"", headers: headers), .failure(Talkative()), .text(secret),
    ]

    private static func with(_ path: String) -> Endpoint { Endpoint(.get, path, arguments: ["id": secret]) }

    private static func route(failure: Bool = false) -> Route<Json> {
        let route = Route<Json>.get("users/{id}", ["id": secret], query: ["token": secret], headers: headers)
        return failure ? route.failing(with: Json.self) : route
    }

    private static func client(_ answer: StubTransport.Answer = .json("[]")) -> Client {
        var client = Client(baseURL: url, transport: StubTransport(answer))
        client.headers = headers
        client.request.append(Careless())
        client.entry.append(Passing())
        return client
    }

    private static func stub() async -> StubTransport {
        let stub = StubTransport()
        stub.on(.get, "/\(secret)", .json(secret))
        _ = try? await stub.process(request)
        return stub
    }

    private static func recording() async -> RecordingTransport {
        let stub = StubTransport { request, _ in
            if request.method == .post { throw Talkative() }
            return response
        }
        let transport = RecordingTransport(stub)
        for request in await requests() { _ = try? await transport.process(request) }
        return transport
    }

    private static func failedCalls() async -> [any Error] {
        await errors(for: replies) { reply in _ = try await client(reply).fetch(route(failure: true)) }
    }
}

private struct Careless: Node {
    let token = Samples.secret
    func process(_ input: HTTPRequest, in context: CallContext) async throws -> HTTPRequest { input }
}

private struct Around: Middleware {
    let token = Samples.secret
    func intercept(
        _ input: RequestBody?,
        in context: CallContext,
        next: some Node<RequestBody?, HTTPRequest>
    ) async throws -> HTTPRequest {
        try await next.process(input, in: context)
    }
}

private struct Passing: PassthroughNode {
    let token = Samples.secret
    func process<Value: Sendable>(_ value: Value, in context: CallContext) async throws -> Value { value }
}

#if canImport(Combine)
private let hasCombine = true
private func publishers() -> [Any] { [Client(baseURL: Samples.url).publisher(for: Route<Json>.get("a"))] }
#else
private let hasCombine = false
private func publishers() -> [Any] { [] }
#endif

private struct SecretOption: CallOption {
    let value: String
}

#if os(Linux)
private let hasCurl = true

private func curlProxies() -> [Any] { [CurlProxy.environment, CurlProxy.none, CurlProxy.server(Samples.url)] }

private func curlCertificates() -> [Any] {
    var tls = CurlTLS()
    tls.clientKeyPassphrase = Samples.secret
    tls.clientKeyFile = Samples.secret
    return [tls]
}

private func madeCurlSettings() -> CurlSettings {
    var settings = CurlSettings()
    settings.tls.clientKeyPassphrase = Samples.secret
    settings.proxy = .server(Samples.url)
    settings.userAgent = Samples.secret
    return settings
}

private func curlSettings() -> [Any] { [madeCurlSettings()] }

private func curlTransports() -> [Any] { [try? CurlTransport(madeCurlSettings())].compactMap(\.self) }

/// The error of a transfer, with the secret in its address.
private func curlErrors() async -> [Any] {
    guard let url = URL(string: "http://127.0.0.1:1/\(Samples.secret)?a=\(Samples.secret)") else { return [] }
    do {
        _ = try await CurlTransport(madeCurlSettings()).process(HTTPRequest(url: url))
        return []
    } catch {
        let cause = (error as? TransportError)?.underlyingError
        return [error] + [cause].compactMap(\.self)
    }
}
#else
private let hasCurl = false
private func curlProxies() -> [Any] { [] }
private func curlCertificates() -> [Any] { [] }
private func curlSettings() -> [Any] { [] }
private func curlTransports() -> [Any] { [] }
private func curlErrors() async -> [Any] { [] }
#endif
