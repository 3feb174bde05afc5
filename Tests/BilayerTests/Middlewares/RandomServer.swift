import BilayerTesting
import Foundation

@testable import Bilayer

/// Answers requests with random outcomes, each with a number, and writes down what it was asked.
final class RandomServer: Sendable {
    static let eu = URL("https://eu.example.com/v1")
    static let us = URL("https://us.example.com/v2")
    /// A part of every value that must be in no text.
    static let secret = "s3cr3t"
    /// Parts of the texts of faults that middlewares, and the following of redirects, make themselves.
    static let ownFaults = [
        "deadline of the call", "deadline of the attempt", "too many redirects", "the body can be sent once",
    ]

    /// The path, the user and the method of the request that an outcome belongs to.
    private struct Origin: Hashable {
        let path: String
        let user: String
        let method: HTTPMethod
    }

    /// What was sent of a call whose work must not be done twice.
    private struct Sending {
        let key: String?
        var mayFollow = false
    }

    private struct State {
        var random: SplitMix64
        var isFine = false
        var origins: [Int: Origin] = [:]
        var sendings: [String: Sending] = [:]
        var readBodies: Set<String> = []
        var breaches: [String] = []
    }

    private let state: Locked<State>

    init(seed: UInt64) { state = Locked(State(random: SplitMix64(seed: seed))) }

    /// Texts of what happened although it must not.
    var breaches: [String] { state.withLock { $0.breaches } }

    /// From now on each request is answered.
    func becomeFine() { state.withLock { $0.isFine = true } }

    /// Whether a response is one to this call's request.
    func isOwn(_ response: HTTPResponse, of plan: CallPlan) -> Bool {
        isOwn(response.headers["X-Serial"].flatMap { Int($0) }, plan)
    }

    func isOwn(_ fault: TransportError, of plan: CallPlan) -> Bool {
        isOwn(fault.description.split(separator: "#").last.flatMap { Int($0) }, plan)
    }

    private func isOwn(_ serial: Int?, _ plan: CallPlan) -> Bool {
        let origin = serial.flatMap { serial in state.withLock { $0.origins[serial] } }
        return origin == Origin(path: plan.path, user: plan.user, method: plan.method)
    }

    var transport: AnyNode<HTTPRequest, HTTPResponse> {
        AnyNode { [self] request, context in
            try Task.checkCancellation()
            try context.checkMaySend()
            let origin = Origin(
                path: request.url.pathComponents.suffix(2).joined(separator: "/"),
                user: request.headers["X-User"] ?? "",
                method: request.method
            )
            return try await request.followingRedirects(in: context) { request in
                try await self.answer(to: request, from: origin, in: context)
            }
        }
    }

    private func answer(
        to request: HTTPRequest,
        from origin: Origin,
        in context: CallContext
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        context.recordSent(request)
        let (serial, waits, choice, detail) = begin(request, origin)
        if request.body?.isReplayable == false { _ = try await request.body?.collected() }
        for _ in 0..<waits { await Task.yield() }
        switch detail % 8 {
        case 0: try await context.clock.sleep(for: .milliseconds(10))
        case 1: try await context.clock.sleep(for: .milliseconds(900))
        case 2 where choice == 0: try await context.clock.sleep(for: .seconds(600))
        default: break
        }
        try Task.checkCancellation()
        return try outcome(choice, detail / 8, serial, request, origin)
    }

    private func begin(_ request: HTTPRequest, _ origin: Origin) -> (Int, Int, Int, Int) {
        state.withLock { state in
            let serial = state.origins.count
            state.origins[serial] = origin
            note(request, &state)
            let choice = state.isFine ? 100 : state.random.next(below: 16)
            let detail = state.isFine ? 7 : state.random.next(below: 800)
            return (serial, state.random.next(below: 12), choice, detail)
        }
    }

    /// Records a breach if a body that can be read once is sent twice, or a `POST` may be carried out twice.
    private func note(_ request: HTTPRequest, _ state: inout State) {
        guard let call = request.headers["X-Call"] else { return }
        if request.body?.isReplayable == false, !state.readBodies.insert(call).inserted {
            state.breaches.append("call \(call): its body was sent twice")
        }
        guard request.method == .post else { return }
        let key = request.headers[.idempotencyKey]
        if let before = state.sendings[call], !before.mayFollow, key == nil || before.key != key {
            state.breaches.append("call \(call): sent twice, with the keys \(before.key ?? "-") and \(key ?? "-")")
        }
        state.sendings[call] = Sending(key: key)
    }

    /// Allows one more request for the work of this call. A request that was refused or redirected, or that found no
    /// connection, has done nothing.
    private func allowFollower(of request: HTTPRequest) {
        guard let call = request.headers["X-Call"] else { return }
        state.withLock { $0.sendings[call]?.mayFollow = true }
    }

    private func outcome(
        _ choice: Int,
        _ detail: Int,
        _ serial: Int,
        _ request: HTTPRequest,
        _ origin: Origin
    ) throws -> HTTPResponse {
        var headers: HTTPHeaders = ["X-Serial": "\(serial)", "Vary": "X-User", .contentType: "application/json"]
        switch choice {
        case 0, 1, 2:
            let kinds: [TransportError.Kind] = [
                .connectionLost, .timedOut, .cannotConnect, .brokenBody, .responseTooLarge, .notConnected, .other,
            ]
            let kind = kinds[detail % kinds.count]
            if kind == .cannotConnect { allowFollower(of: request) }
            throw TransportError(kind, detail: "#\(serial)")
        case 3, 4, 5:
            let statuses: [HTTPStatus] = [404, 500, 503, 429, 502, 400]
            if detail % 5 == 0 { headers[.retryAfter] = "1" }
            return HTTPResponse(status: statuses[detail % statuses.count], headers: headers, url: request.url)
        case 6:
            allowFollower(of: request)
            return HTTPResponse(status: 401, headers: headers, url: request.url)
        case 7:
            allowFollower(of: request)
            let statuses: [HTTPStatus] = [302, 303, 307, 308]
            headers[.location] = "/moved/\(serial)"
            return HTTPResponse(status: statuses[detail % statuses.count], headers: headers, url: request.url)
        default: break
        }
        let controls = [
            "max-age=60", "max-age=0", "no-store", "max-age=0, stale-while-revalidate=600",
            "max-age=0, stale-if-error=600", "no-cache",
        ]
        headers["Cache-Control"] = controls[detail % controls.count]
        headers[.eTag] = "\"\(origin.user)\""
        if request.headers[.ifNoneMatch]?.contains("\"\(origin.user)\"") == true {
            return HTTPResponse(status: 304, headers: headers, url: request.url)
        }
        let body = Data(#"{"path":"\#(origin.path)","user":"\#(origin.user)"}"#.utf8)
        return HTTPResponse(status: 200, headers: headers, body: body, url: request.url)
    }
}
