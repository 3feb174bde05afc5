import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

/// What a call ends with, for each fault, whatever is around the transport. The page "What happens when" says it in
/// words.
@Suite("The outcome table: fault × middleware × transport", .timeLimit(.minutes(5)))
struct OutcomeTableTests {
    // MARK: The table

    /// A fault, the kind of its error, what of the response is kept, and whether a retry sends the request again.
    struct Row: Sendable, CustomTestStringConvertible {
        let fault: String
        let reply: Reply
        var kind: TransportError.Kind?
        var status: HTTPStatus?
        var body = ""
        var isRetried = false
        var timeout: Duration?
        /// Whether `URLSession` on Linux keeps what came of the response.
        var isKeptBySession = false
        /// Why the fault cannot be shown to `URLSession` on Linux.
        var endsURLSession = false

        var testDescription: String { fault }
    }

    static let rows = [
        Row(fault: "close before the answer", reply: .closeBeforeAnswer, kind: .connectionLost, isRetried: true),
        Row(fault: "reset before the answer", reply: .resetBeforeAnswer, kind: .connectionLost, isRetried: true),
        Row(
            fault: "close inside the head",
            reply: .closeInHead(after: 30),
            kind: .connectionLost,
            isRetried: true,
            endsURLSession: true
        ),
        Row(fault: "no answer", reply: .hold, kind: .timedOut, isRetried: true, timeout: .seconds(1)),
        Row(
            fault: "body that stops",
            reply: .stallInBody(after: 1),
            kind: .timedOut,
            status: 200,
            body: "[",
            isRetried: true,
            timeout: .seconds(1)
        ),
        Row(
            fault: "body that is cut",
            reply: .truncatedBody(sent: 1, declared: 9),
            kind: .brokenBody,
            status: 200,
            body: "[",
            isRetried: true
        ),
        Row(
            fault: "chunks without an end",
            reply: .unfinishedChunks(["[1,"]),
            kind: .brokenBody,
            status: 200,
            body: "[1,",
            isRetried: true
        ),
        Row(fault: "bad chunk", reply: .badChunk, kind: .brokenBody, status: 200, isRetried: true),
        Row(fault: "bad gzip", reply: .badGzip, kind: .brokenBody, status: 200, isRetried: true),
        Row(fault: "not HTTP", reply: .notHTTP, kind: .malformedResponse),
        Row(fault: "field without a colon", reply: .headerWithoutColon, kind: .malformedResponse),
        Row(
            fault: "body over the limit",
            reply: .json(String(repeating: " ", count: 20_000)),
            kind: .responseTooLarge,
            status: 200
        ),
        Row(
            fault: "redirect with a body that is cut",
            reply: Reply(
                .head("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 9\r\n\r\n"),
                .body("["),
                .close
            ),
            kind: .brokenBody,
            status: 302,
            body: "[",
            isRetried: true,
            isKeptBySession: true
        ),
        Row(fault: "redirect to itself", reply: .redirect(to: "/a"), kind: .tooManyRedirects),
        Row(fault: "503", reply: .text("busy", status: 503), status: 503, body: "busy", isRetried: true),
        Row(fault: "500", reply: .text("defect", status: 500), status: 500, body: "defect"),
        Row(fault: "404", reply: .text("no", status: 404), status: 404, body: "no"),
        Row(fault: "none", reply: .json("[]"), status: 200, body: "[]"),
    ]

    enum Stack: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case plain, retry, deadline, cache, dedupe

        var testDescription: String { rawValue }

        func around(_ base: AnyNode<HTTPRequest, HTTPResponse>) -> AnyNode<HTTPRequest, HTTPResponse> {
            switch self {
            case .plain: base
            case .retry: base.wrapped(by: .retry(.exponential(attempts: 2, firstWait: .zero))).erased()
            case .deadline: base.wrapped(by: .deadline(.seconds(240))).erased()
            case .cache: base.wrapped(by: .cache(HTTPCache(.memory(maximumBytes: 1 << 20)))).erased()
            case .dedupe: base.wrapped(by: .deduplication).erased()
            }
        }
    }

    // MARK: The tests

    @Test(arguments: rows, BuiltInTransport.allCases)
    func everyFaultHasOneOutcome(of row: Row, over choice: BuiltInTransport) async throws {
        if row.endsURLSession, choice == .urlSession { return }
        for stack in Stack.allCases {
            let server = try await FaultServer.start()
            server.on(.get, "/a", row.reply)
            let transport = stack.around(try choice.transport(maximumResponseBytes: 10_000))
            let request = HTTPRequest(url: server.url.appending(path: "a"), timeout: row.timeout ?? .seconds(240))
            do {
                let response = try await transport.process(request)
                #expect(row.kind == nil, "\(stack)")
                #expect(response.status == row.status, "\(stack)")
                #expect(response.body == Data(row.body.utf8), "\(stack)")
            } catch let error as TransportError {
                #expect(error.kind == row.kind, "\(stack)")
                let isKept = row.isKeptBySession && choice == .urlSession
                #expect(error.response?.status == (isKept ? nil : row.status), "\(stack)")
                let body = error.response.map { String(decoding: $0.body, as: UTF8.self) } ?? ""
                #expect(body == (isKept ? "" : row.body), "\(stack)")
            }
            if row.kind != .tooManyRedirects {
                #expect(server.requests.count == (stack == .retry && row.isRetried ? 2 : 1), "\(stack)")
            }
        }
    }

    @Test(arguments: rows.filter(\.isRetried), BuiltInTransport.allCases)
    func aRetryFindsTheAnswerAfterAFault(of row: Row, over choice: BuiltInTransport) async throws {
        if row.endsURLSession, choice == .urlSession { return }
        let server = try await FaultServer.start()
        server.on(.get, "/a", row.reply, .json("[]"))
        let transport = Stack.retry.around(try choice.transport())
        let request = HTTPRequest(url: server.url.appending(path: "a"), timeout: row.timeout ?? .seconds(240))
        #expect(try await transport.process(request).body == Data("[]".utf8))
        #expect(server.requests.count == 2)
    }

    @Test(arguments: Stack.allCases, BuiltInTransport.allCases)
    func aCancelEndsTheCallAndItsConnection(under stack: Stack, over choice: BuiltInTransport) async throws {
        let server = try await FaultServer.start()
        server.on(.get, "/a", .hold)
        let transport = stack.around(try choice.transport())
        let url = server.url.appending(path: "a")
        let call = Task { try await transport.process(HTTPRequest(url: url)) }
        try await server.waitForRequests(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        try await server.engine.state.wait { $0.threads == 1 ? () : nil }
    }
}
