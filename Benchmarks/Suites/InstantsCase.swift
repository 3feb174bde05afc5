import Bilayer
import Foundation

/// The cost of a date after the JSON is parsed: 10,000 RFC 3339 strings, read by `Codable` and by a format.
/// Foundation's row also parses the JSON.
func instantsCase() throws -> Case {
    let body = DateBodies.list(of: 10_000)
    let foundation = JSONDecoder()
    foundation.dateDecodingStrategy = .iso8601
    var bilayer = JsonDecoder()
    bilayer.dates = .rfc3339
    let json = try Json(parsing: body)
    func isRight(_ dates: [Date]) throws -> Bool {
        // Foundation rounds fractions of a second differently.
        try zip(dates, foundation.decode([Date].self, from: body)).allSatisfy { abs($0.timeIntervalSince($1)) < 1e-6 }
    }
    return Case(
        suite: .dates,
        corpus: "instants",
        byteCount: body.count,
        contenders: [
            Contender(.foundation) {
                try foundation.decode([Date].self, from: body)
            } isRight: { isRight in
                !isRight.isEmpty
            },
            Contender(.bilayerCodable) { [bilayer] in
                try bilayer.decode([Date].self, from: json)
            } isRight: {
                try isRight($0)
            },
            Contender(.bilayerDirect) {
                try json.decode(as: .array(of: .rfc3339))
            } isRight: {
                try isRight($0)
            },
        ]
    )
}

enum DateBodies {
    /// Returns dates in all usual forms: with and without a fraction, in UTC and with an offset.
    static func list(of count: Int) -> Data {
        var random = SplitMix64(seed: 20_261_121)
        let texts = (0..<count)
            .map { position in
                let date = Date(timeIntervalSince1970: Double(random.next() % 2_000_000_000))
                let text = (date.rfc3339() ?? "").dropLast()
                return switch position % 3 {
                case 0: "\"\(text)Z\""
                case 1: "\"\(text).\(100 + position % 900)Z\""
                default: "\"\(text)+02:00\""
                }
            }
        return Data("[\(texts.joined(separator: ","))]".utf8)
    }
}
