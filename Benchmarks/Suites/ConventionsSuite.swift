import Bilayer
import Foundation

/// The cost of a client's conventions: 2,000 tickets with snake_case keys, once without and once with formatted dates
/// and amounts. Compare a row `conventions` with the row `bilayer-codable`: the decoder or encoder alone, over types
/// with written-out coding keys. `formatted` has no conventions, but a format at each date and at the amount.
func conventionsCases() throws -> [Case] {
    let body = ticketBody(count: 2000)
    let dated = JSONDecoder()
    dated.keyDecodingStrategy = .convertFromSnakeCase
    dated.dateDecodingStrategy = .iso8601
    let dating = JSONEncoder()
    dating.keyEncodingStrategy = .convertToSnakeCase
    dating.dateEncodingStrategy = .iso8601
    var keys = CodingConventions()
    keys.keys = .snakeCase
    var all = keys
    all.scalars.register(Date.self, as: .rfc3339)
    all.scalars.register(Decimal.self, as: .quoted)
    let none = CodingConventions()
    let foundation = (dated, dating)
    return try ticketCases("keys", body, foundation, WrittenTicket.self, (Ticket.self, keys))
        + ticketCases("keys-and-scalars", body, foundation, WrittenTypedTicket.self, (TypedTicket.self, all))
        + ticketCases("formatted", body, foundation, WrittenTypedTicket.self, (FormattedTicket.self, none))
}

private typealias TicketEntry = Codable & Equatable & RawMappable

private func ticketCases<Written: TicketEntry, Named: TicketEntry>(
    _ name: String,
    _ body: Data,
    _ foundation: (decoder: JSONDecoder, encoder: JSONEncoder),
    _ written: Written.Type,
    _ named: (type: Named.Type, conventions: CodingConventions)
) throws -> [Case] where Named.Raw == Json {
    let sample = TicketSample<Written, Named>(
        foundation: foundation,
        body: body,
        plain: try foundation.decoder.decode([Ticket].self, from: body),
        written: try TicketSample<Written, Named>.decoder.decode([Written].self, from: body),
        named: try tickets(of: named.type, in: body, named.conventions),
        conventions: named.conventions
    )
    return [
        Case(suite: .conventions, corpus: "\(name)-decode", byteCount: body.count, contenders: sample.decoding),
        Case(suite: .conventions, corpus: "\(name)-encode", byteCount: body.count, contenders: sample.encoding),
    ]
}

/// The tickets of a body as values of the types that the contenders read and write.
private struct TicketSample<Written: TicketEntry, Named: TicketEntry> where Named.Raw == Json {
    let foundation: (decoder: JSONDecoder, encoder: JSONEncoder)
    let body: Data
    let plain: [Ticket]
    let written: [Written]
    let named: [Named]
    let conventions: CodingConventions

    static var decoder: JsonDecoder {
        var decoder = JsonDecoder()
        decoder.dates = .rfc3339
        return decoder
    }

    private static var encoder: JsonEncoder {
        var encoder = JsonEncoder()
        encoder.dates = .rfc3339
        return encoder
    }

    var decoding: [Contender] {
        let decoder = Self.decoder
        return [
            Contender(.foundation) {
                try foundation.decoder.decode([Ticket].self, from: body)
            } isRight: {
                $0 == plain
            },
            Contender(.bilayerCodable) {
                try decoder.decode([Written].self, from: body)
            } isRight: {
                $0 == written
            },
            Contender(.conventions) {
                try tickets(of: Named.self, in: body, conventions)
            } isRight: {
                $0 == named
            },
        ]
    }

    var encoding: [Contender] {
        let (decoder, encoder) = (Self.decoder, Self.encoder)
        return [
            Contender(.foundation) {
                try foundation.encoder.encode(plain)
            } isRight: {
                try foundation.decoder.decode([Ticket].self, from: $0) == plain
            },
            Contender(.bilayerCodable) {
                try encoder.encode(written)
            } isRight: {
                try decoder.decode([Written].self, from: $0) == written
            },
            Contender(.conventions) {
                try ticketBody(named, conventions)
            } isRight: {
                try tickets(of: Named.self, in: $0, conventions) == named
            },
        ]
    }
}

private func tickets<Entry: RawDecodable>(
    of type: Entry.Type,
    in body: Data,
    _ conventions: CodingConventions
) throws -> [Entry] where Entry.Raw == Json {
    try CollectingReporter().mapping(conventions: conventions) { try [Entry].from(raw: Json(parsing: body)) }
}

private func ticketBody<Entry: RawEncodable>(
    _ tickets: [Entry],
    _ conventions: CodingConventions
) throws -> Data where Entry.Raw == Json {
    try CollectingReporter().mapping(conventions: conventions) { try tickets.toRaw().serialized() }
}

private func ticketBody(count: Int) -> Data {
    let tickets = (0..<count)
        .map { number in
            let user = number % 97
            let author = """
                {"id":\(user),"login":"user-\(user)","avatar_url":"https://avatars.example.com/u/\(user)?v=4",\
                "html_url":"https://example.com/user-\(user)","site_admin":\(number % 5 == 0)}
                """
            return """
                {"id":\(number),"title":"The answer of ticket \(number) is late","author":\(number % 7 == 0 ? "null" : author),\
                "created_at":"2026-03-\(10 + number % 20)T10:\(10 + number % 50):00Z",\
                "updated_at":"2026-04-\(10 + number % 20)T11:\(10 + number % 50):30Z",\
                "html_url":"https://example.com/tickets/\(number)","unit_price":"\(number % 500).\(11 + number % 89)",\
                "author_association":"MEMBER"}
                """
        }
    return Data("[\(tickets.joined(separator: ","))]".utf8)
}
