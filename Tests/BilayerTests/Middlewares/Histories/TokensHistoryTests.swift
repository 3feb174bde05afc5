import BilayerTesting
import Foundation
import Testing

@testable import Bilayer

/// Random histories against a model: tokens expire, are refused and are replaced, refreshes fail or do not end, and
/// calls are cancelled.
@Suite("Random histories: authentication", .timeLimit(.minutes(5)))
struct TokensHistoryTests {
    @Test(arguments: Seeds.some(20)) func callsGetTheTokensOfTheModel(seed: UInt64) async {
        var history = TokensHistory(seed: seed)
        for step in 0..<100 {
            history.step()
            let model = history.model
            guard await settles(until: { history.isAsExpected }) else {
                Issue.record("seed \(seed), step \(step): \(history.found), expected \(model)")
                break
            }
        }
        await history.end()
        #expect(history.tokens.waiting == 0, "seed \(seed)")
    }
}

private struct TokensHistory {
    private let server = HeldServer()
    private let refreshServer = HeldServer()
    private let callers = Callers()
    private let clock = TestClock()
    private let transport: AnyNode<HTTPRequest, HTTPResponse>
    private var random: SplitMix64
    private var now = 0
    private var lastToken = 0
    let tokens: BearerTokens
    private(set) var model: TokensModel

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        let limit = 1 + random.next(below: 5)
        let (refreshes, count) = (refreshServer.transport, Locked(0))
        model = TokensModel(limit: limit)
        tokens = BearerTokens(limit: limit, clock: clock) { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let response = try await refreshes.process(HTTPRequest("h.example/\(number)"))
            guard response.status == 200 else { throw RefreshFailure() }
            let life = response.headers["X-Life"].flatMap { Int($0) }
            return BearerToken(String(decoding: response.body, as: UTF8.self), expiresIn: life.map { .seconds($0) })
        }
        transport = server.transport.wrapped(by: .authentication(tokens)).erased()
    }

    // MARK: Steps

    mutating func step() {
        switch random.next(below: 11) {
        case 0, 1, 2:
            let (number, transport) = (callers.count, transport)
            callers.start { try await transport.process(HTTPRequest("h.example/\(number)")) }
            model.begin(number, at: now)
        case 3, 4, 5: answer()
        case 6, 7: endRefresh()
        case 8:
            guard let call = (Array(model.atServer.keys) + model.waiting).sorted().randomElement(using: &random) else {
                return
            }
            callers.cancel(call)
            model.cancel(call)
        case 9:
            let pause = 1 + random.next(below: 25)
            clock.advance(by: .seconds(pause))
            now += pause
        default:
            guard random.next(below: 3) == 0 else { return }
            let token = random.next(below: 3) == 0 ? nil : newToken()
            tokens.replace(with: token.map { BearerToken($0) })
            model.replace(token)
        }
    }

    private mutating func newToken() -> String {
        lastToken += 1
        return "t\(lastToken)"
    }

    private mutating func answer() {
        guard let call = model.atServer.keys.sorted().randomElement(using: &random) else { return }
        let status = random.next(below: 2) == 0 ? 200 : 401
        server.answer(server.number(ofPath: "/\(call)"), HTTPResponse(status: HTTPStatus(status)))
        model.answer(call, status, at: now)
    }

    private mutating func endRefresh() {
        guard let number = model.running.sorted().randomElement(using: &random) else { return }
        let isSuccess = random.next(below: 3) > 0
        // The lifetime is never 0, which a refresh would take for an unknown lifetime.
        let life: Int? = random.next(below: 3) == 0 ? nil : 10 * (1 + random.next(below: 5))
        let token = isSuccess ? newToken() : nil
        var response = HTTPResponse(status: isSuccess ? 200 : 500, body: Data((token ?? "").utf8))
        response.headers["X-Life"] = life.map { "\($0)" }
        refreshServer.answer(refreshServer.number(ofPath: "/\(number)"), response)
        let expires = life.map { now + $0 }
        model.end(
            number,
            token.map { .init(text: $0, expires: expires, isStaleFrom: life.map { now + $0 - $0 / 10 }) },
            at: now
        )
    }

    // MARK: Outcome

    private func held(at server: HeldServer) -> [(number: Int?, request: HTTPRequest)] {
        server.held.map { server.requests[$0] }.map { (Int($0.url.lastPathComponent), $0) }
    }

    private var atServer: [Int: String] {
        var found: [Int: String] = [:]
        for (number, request) in held(at: server) {
            if let number { found[number] = request.headers[.authorization].map { String($0.dropFirst(7)) } }
        }
        return found
    }

    var isAsExpected: Bool {
        callers.outcomes == model.outcomes && atServer == model.atServer
            && server.requests.count == model.requestCount
            && Set(held(at: refreshServer).compactMap(\.number)) == model.running
            && refreshServer.requests.count == model.refreshCount && tokens.waiting == model.waiting.count
            // A refresh without callers has ended before the next step, too.
            && tokens.running == model.running.count
    }

    var found: String {
        "outcomes \(callers.outcomes), at the server \(atServer), \(server.requests.count) requests, refreshes "
            + "\(held(at: refreshServer).map(\.number)), waiting \(tokens.waiting)"
    }

    func end() async {
        let refreshServer = refreshServer
        let answering = Task {
            while !Task.isCancelled {
                for number in refreshServer.held { refreshServer.answer(number, HTTPResponse(status: 500)) }
                await Task.yield()
            }
        }
        await callers.cancelAll()
        answering.cancel()
        await answering.value
    }
}
