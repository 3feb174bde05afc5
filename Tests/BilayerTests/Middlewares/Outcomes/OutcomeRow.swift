import Bilayer
import Foundation
import Testing

@testable import BilayerTesting

/// A fault, and what a call ends with.
struct OutcomeRow: Sendable, CustomTestStringConvertible {
    /// When the fault comes.
    enum Place: Sendable {
        /// As soon as the client connects.
        case accept
        /// After that many bytes of the request's body.
        case upload(after: Int)
        /// After the request.
        case answer
    }

    /// What a call ends with: a response, or an error of a kind with the part of a response that had come.
    struct Outcome: Sendable, Equatable, CustomStringConvertible {
        /// The kind of the error; `nil` for a response.
        var kind: TransportError.Kind?
        var status: HTTPStatus?
        var body = ""

        var description: String {
            "\(kind.map(\.description) ?? "response"), \(status.map { "\($0.code)" } ?? "no head"), \(body.prefix(80))"
        }
    }

    let fault: String
    let reply: Reply
    let place: Place
    /// What the call ends with over every transport, unless `session` says otherwise.
    let outcome: Outcome
    /// Whether a retry sends the request again.
    var isRetried = false
    /// What a call over `URLSession` ends with, where that differs.
    var session: Outcome?
    /// Another error that the fault may have: a reset can come before the client has seen that it is connected.
    var otherKind: TransportError.Kind?
    var timeout: Duration?
    var method = HTTPMethod.get
    var requestBody: Data?
    /// Scripts further addresses of the server, and addresses of another server.
    var further: @Sendable (_ server: FaultServer, _ other: FaultServer) -> Void = { _, _ in }
    var certificate: ServerCertificate?
    /// The requests of one attempt that reach the server.
    var requests = 1
    /// Whether the fault ends the process with `URLSession` on Linux.
    var endsURLSession = false

    var testDescription: String { fault }

    /// A fault whose call ends with an error.
    static func fails(
        _ fault: String,
        _ reply: Reply,
        at place: Place = .answer,
        _ kind: TransportError.Kind,
        status: HTTPStatus? = nil,
        body: String = "",
        isRetried: Bool = false,
        _ change: (inout Self) -> Void = { _ in }
    ) -> Self {
        let outcome = Outcome(kind: kind, status: status, body: body)
        var row = Self(fault: fault, reply: reply, place: place, outcome: outcome, isRetried: isRetried)
        change(&row)
        return row
    }

    /// A fault, or none, whose call ends with a response.
    static func answers(
        _ fault: String,
        _ reply: Reply,
        at place: Place = .answer,
        status: HTTPStatus = 200,
        body: String = "[]",
        isRetried: Bool = false,
        _ change: (inout Self) -> Void = { _ in }
    ) -> Self {
        let outcome = Outcome(status: status, body: body)
        var row = Self(fault: fault, reply: reply, place: place, outcome: outcome, isRetried: isRetried)
        change(&row)
        return row
    }
}

extension OutcomeRow {
    /// Scripts the fault.
    /// - Parameters:
    ///   - server: The server.
    ///   - other: A server of another host.
    ///   - isOnce: Whether the fault is gone for the second request.
    func script(_ server: FaultServer, _ other: FaultServer, isOnce: Bool = false) {
        switch place {
        case .accept:
            for _ in 0..<(isOnce ? 1 : 8) { server.onConnect(reply) }
            server.on(method, "/a", .json("[]"))
        case .upload(let count):
            server.onUpload(method, "/a", after: count, reply)
            server.on(method, "/a", .json("[]"))
        case .answer:
            if isOnce { server.on(method, "/a", reply, .json("[]")) } else { server.on(method, "/a", reply) }
        }
        further(server, other)
    }

    func request(to server: FaultServer) -> HTTPRequest {
        HTTPRequest(
            method: method,
            url: server.url.appending(path: "a"),
            headers: method == .post ? [.idempotencyKey: "k1"] : [:],
            body: requestBody,
            timeout: timeout ?? .seconds(240)
        )
    }

    /// The requests that have reached the server, or the connections if it reads no request.
    func arrived(at server: FaultServer) -> Int {
        if case .accept = place { server.engine.state.withLock { $0.connections } } else { server.requests.count }
    }

    /// What a call ends with.
    static func outcome(_ call: () async throws -> HTTPResponse) async throws -> Outcome {
        do {
            let response = try await call()
            return Outcome(status: response.status, body: String(decoding: response.body, as: UTF8.self))
        } catch let error as TransportError {
            let body = error.response.map { String(decoding: $0.body, as: UTF8.self) }
            return Outcome(kind: error.kind, status: error.response?.status, body: body ?? "")
        }
    }

    func expected(over choice: BuiltInTransport) -> Outcome { choice == .urlSession ? session ?? outcome : outcome }

    func isExpected(_ found: Outcome, over choice: BuiltInTransport) -> Bool {
        var expected = expected(over: choice)
        if expected.kind != nil, let otherKind, found.kind == otherKind { expected.kind = otherKind }
        return found == expected
    }

    /// Whether the process survives the fault with this transport.
    func isSafe(for choice: BuiltInTransport) -> Bool { !endsURLSession || choice != .urlSession }
}

/// What is around the transport.
enum OutcomeStack: String, CaseIterable, Sendable {
    case plain, retry, deadline, cache, dedupe

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
