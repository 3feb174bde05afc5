import Bilayer
import Foundation

/// A whole call, from received bytes to models, compared with decoding the same bytes into one layer. The entries are
/// plain `Codable`, or are read by hand.
func chainCases(of corpora: Corpora) throws -> [Case] {
    let list = Corpus<[PersonEntry]>(name: "users", body: corpora.users.body)
    let byHand = Corpus<[UserEntry]>(name: "users-by-hand", body: corpora.users.body)
    let single = Corpus<PersonEntry>(name: "tiny", body: corpora.tiny.body)
    return try [
        chainCase(of: list, chain(to: Route<[Person]>.get("users"), over: list)),
        chainCase(of: byHand, chain(to: Route<[PersonByHand]>.get("users"), over: byHand)),
        chainCase(of: single, chain(to: Route<Person>.get("users/5"), over: single)),
        streamCase(of: list),
    ] + graphQLCases() + smallCallCases()
}

private func chainCase(of corpus: some AnyCorpus, _ chain: Contender) -> Case {
    Case(
        suite: .chain,
        corpus: corpus.name,
        byteCount: corpus.body.count,
        contenders: [foundationDecode(corpus), chain, roundTripDecode(corpus)]
    )
}

/// The list as a whole, compared with a stream of its elements from chunks of 64 KiB.
private func streamCase(of list: Corpus<[PersonEntry]>) throws -> Case {
    Case(
        suite: .chain,
        corpus: "users-streamed",
        byteCount: list.body.count,
        contenders: [
            foundationDecode(list), try chain(to: Route<[Person]>.get("users"), over: list), try stream(over: list),
        ]
    )
}

private func stream(over list: Corpus<[PersonEntry]>) throws -> Contender {
    let body = list.body
    let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
        var response = HTTPResponse(status: 200)
        response.stream = .stream {
            AsyncStream<Data> { chunks in
                var rest = body[...]
                while !rest.isEmpty {
                    chunks.yield(Data(rest.prefix(65_536)))
                    rest = rest.dropFirst(65_536)
                }
                chunks.finish()
            }
        }
        return response
    }
    guard let baseURL = URL(string: "https://api.example.com") else { throw URLError(.badURL) }
    let client = Client(baseURL: baseURL, transport: transport)
    return Contender(
        .bilayerStream,
        asynchronously: {
            var people: [Person] = []
            for try await person in client.stream(Route<Person>.get("users"), as: .array) { people.append(person) }
            return people
        },
        isRight: { try $0 == [Person].from(dto: list.expectedModel()) }
    )
}

/// Returns a contender with a client whose transport responds to every request with the body at once.
private func chain<Model: DTODecodable & Equatable & Sendable>(
    to route: Route<Model>,
    over corpus: Corpus<Model.DTO>
) throws -> Contender {
    let body = corpus.body
    let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in HTTPResponse(status: 200, body: body) }
    guard let baseURL = URL(string: "https://api.example.com") else { throw URLError(.badURL) }
    let client = Client(baseURL: baseURL, transport: transport)
    return Contender(
        .bilayerChain,
        asynchronously: { try await client.fetch(route) },
        isRight: { try $0 == Model.from(dto: corpus.expectedModel()) }
    )
}
