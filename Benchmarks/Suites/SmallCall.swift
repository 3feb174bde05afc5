import Bilayer
import Foundation

/// A call with such a small body that most of the time is spent in the chain around the decoding. It makes the route,
/// builds the request, and maps the response over both layers. It runs in a task of the concurrent pool and on the main
/// actor, and is compared with the decoding alone and with empty hops.
func smallCallCases() throws -> [Case] {
    let corpus = Corpus<VisitEntry>(name: "small-call", body: Data(#"{"id":7,"place":"Kyoto","nights":3}"#.utf8))
    let client = try smallCallClient(answering: corpus.body)
    // `@concurrent`, because an unisolated closure would run on the actor of its caller, which may be the main actor.
    let fromPool: @Sendable @concurrent (Int) async throws -> Bool = { @concurrent count in
        var nights = 0
        for _ in 0..<count { nights += try await client.fetch(.visit(7)).nights }
        return nights == 3 * count
    }
    let fromMain: @Sendable @MainActor (Int) async throws -> Bool = { count in
        Screen.sum = 0
        for _ in 0..<count { Screen.sum += try await client.fetch(.visit(7)).nights }
        return Screen.sum == 3 * count
    }
    let inOneHop: @Sendable @MainActor (Int) async throws -> Bool = { count in
        Screen.sum = 0
        for _ in 0..<count { Screen.sum += try await nights(by: client) }
        return Screen.sum == 3 * count
    }
    var main = smallCallCase(
        "small-call-from-main",
        corpus,
        { try await fromMain($0) },
        hop: { await hopsFromMain($0) }
    )
    main.contenders.append(Contender(engine: .oneHop) { try await inOneHop($0) })
    return [smallCallCase("small-call", corpus, fromPool, hop: { await hops($0) }), main]
}

private func smallCallCase(
    _ name: String,
    _ corpus: Corpus<VisitEntry>,
    _ work: @escaping (Int) async throws -> Bool,
    hop: @escaping (Int) async -> Int
) -> Case {
    Case(
        suite: .chain,
        corpus: name,
        byteCount: corpus.body.count,
        clock: .wall,
        contenders: [
            foundationDecode(corpus), codableDecode(corpus), Contender(engine: .bilayerChain, work: work),
            Contender(engine: .emptyHop) { await hop($0) == $0 },
        ]
    )
}

@concurrent
private func hops(_ count: Int) async -> Int {
    var sum = 0
    for _ in 0..<count { sum += await one() }
    return sum
}

@MainActor
private func hopsFromMain(_ count: Int) async -> Int {
    Screen.sum = 0
    for _ in 0..<count { Screen.sum += await one() }
    return Screen.sum
}

@concurrent
private func nights(by client: Client) async throws -> Int { try await client.fetch(.visit(7)).nights }

/// Isolated to the main actor, so that the compiler cannot remove the hop back to it.
@MainActor
private enum Screen {
    static var sum = 0
}

/// Runs on the concurrent pool like a call. It reads a clock, because the compiler removes the hop to a function
/// without effects.
@concurrent
private func one() async -> Int { ContinuousClock().now < .now ? 1 : 1 }

private func smallCallClient(answering body: Data) throws -> Client {
    let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
        HTTPResponse(status: 200, headers: [.contentType: "application/json"], body: body)
    }
    guard let baseURL = URL(string: "https://api.example.com/v1") else { throw URLError(.badURL) }
    return Client(baseURL: baseURL, transport: transport)
}

extension Route where Response == Visit {
    fileprivate static func visit(_ id: Int) -> Route { .get("visits/{id}", ["id": id]) }
}
