import Bilayer
import Foundation

/// A GraphQL response of 400 KB through a client: into the generated types (one layer), and into models (two layers).
/// Both are compared with `JSONDecoder` into the same envelope. For the models, a conversion without a framework
/// follows.
func graphQLCases() throws -> [Case] {
    let body = graphBody(bytes: 400_000)
    let expected = try JSONDecoder().decode(GraphAnswer.self, from: body).data
    let models = expected.trips.edges.compactMap { $0.node.flatMap(GraphTrip.init(plain:)) }
    let transport = AnyNode<HTTPRequest, HTTPResponse> { _, _ in
        HTTPResponse(status: 200, headers: [.contentType: "application/graphql-response+json"], body: body)
    }
    guard let baseURL = URL(string: "https://api.example.com") else { throw URLError(.badURL) }
    let client = Client(baseURL: baseURL, transport: transport)
    let decoder = JSONDecoder()

    let oneLayer = Route<GraphTripsQuery.Data>.graphQL(GraphTripsQuery())
    let twoLayers = Route<[GraphTrip]>
        .graphQL(GraphTripsQuery()) { data in
            try .from(dto: data.trips.edges.compactMap(\.node), at: "trips.edges")
        }
    return [
        Case(
            suite: .chain,
            corpus: "graphql-one-layer",
            byteCount: body.count,
            contenders: [
                Contender(.foundation) {
                    try decoder.decode(GraphAnswer.self, from: body).data
                } isRight: {
                    $0 == expected
                },
                Contender(.bilayerChain, asynchronously: { try await client.fetch(oneLayer) }) { $0 == expected },
            ]
        ),
        Case(
            suite: .chain,
            corpus: "graphql-two-layers",
            byteCount: body.count,
            contenders: [
                Contender(.foundation) {
                    try decoder.decode(GraphAnswer.self, from: body).data.trips.edges
                        .compactMap { $0.node.flatMap(GraphTrip.init(plain:)) }
                } isRight: {
                    $0 == models
                },
                Contender(.bilayerChain, asynchronously: { try await client.fetch(twoLayers) }) { $0 == models },
            ]
        ),
    ]
}

/// Returns a response with as many trips as are needed for at least this number of bytes.
private func graphBody(bytes: Int) -> Data {
    var random = SplitMix64(seed: 17)
    var edges = ""
    var index = 0
    while edges.utf8.count < bytes {
        let days = (0..<random.next(in: 1...4))
            .map { day in
                let stops = (0..<random.next(in: 0...5)).map { _ in #"{"name":"Stop \#(random.next(in: 1...9999))"}"# }
                return #"{"title":"Day \#(day + 1), in the hills","stops":[\#(stops.joined(separator: ","))]}"#
            }
        edges +=
            (index == 0 ? "" : ",")
            + #"{"cursor":"c\#(index)","node":{"id":"t\#(index)","name":"Trip Nr. \#(index)","#
            + #""price":{"amount":\#(Double(random.next(in: 100...99_999)) / 100),"currency":"EUR"},"#
            + #""days":[\#(days.joined(separator: ","))]}}"#
        index += 1
    }
    return Data(#"{"data":{"trips":{"edges":[\#(edges)]}},"extensions":{"cost":12}}"#.utf8)
}
