import Bilayer
import BilayerTesting
import Foundation
import Testing

@Suite("How a server spells things everywhere")
struct CodingConventionsTests {
    struct Long: CustomScalar, Hashable, Sendable {
        var value: Int64
        static let format = ValueFormat<Int64>.firstOf(.plain, .quoted).map(Long.init) { $0.value }
    }

    struct AccountEntry: Codable, RawMappable, Equatable, Sendable {
        var ownerID: Long
        var openedAt: Date
        var closedAt: Date?
        var visits: [Date]
        var lengths: [String: Duration]
    }

    static let conventions: CodingConventions = {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        conventions.scalars.register(Date.self, as: .firstOf(.rfc3339, .unixSeconds))
        conventions.scalars.register(Duration.self, as: .iso8601)
        return conventions
    }()

    static let text =
        #"{"owner_id":9223372036854775807,"opened_at":"1970-01-01T00:00:00Z","visits":["1970-01-01T00:00:01Z"],"#
        + #""lengths":{"aB":"PT1M"}}"#

    static let entry = AccountEntry(
        ownerID: Long(value: .max),
        openedAt: Date(timeIntervalSince1970: 0),
        visits: [Date(timeIntervalSince1970: 1)],
        lengths: ["aB": .seconds(60)]
    )

    @Test("registered formats and key naming hold for properties, elements and dictionary values, both ways")
    func coders() throws {
        let read = try Self.conventions.decoder.decode(AccountEntry.self, from: Data(Self.text.utf8))
        #expect(read == Self.entry)
        #expect(try Self.conventions.encoder.encode(Self.entry) == Data(Self.text.utf8))
    }

    @Test("a decoder without them is not touched by one with them, in any order")
    func independent() throws {
        for _ in 0..<3 {
            #expect(
                try Self.conventions.decoder.decode([Date].self, from: [1] as Json) == [Date(timeIntervalSince1970: 1)]
            )
            #expect(
                try JsonDecoder().decode([Date].self, from: [1] as Json) == [Date(timeIntervalSinceReferenceDate: 1)]
            )
            #expect(
                try Self.conventions.encoder.encode([Date(timeIntervalSince1970: 0)])
                    == Data(#"["1970-01-01T00:00:00Z"]"#.utf8)
            )
            #expect(try JsonEncoder().encode([Date(timeIntervalSinceReferenceDate: 0)]) == Data("[0]".utf8))
        }
    }

    @Test("the last registration counts")
    func lastCounts() throws {
        var conventions = Self.conventions
        conventions.scalars.register(Date.self, as: .dateOnly)
        #expect(try conventions.encoder.encode([Date(timeIntervalSince1970: 0)]) == Data(#"["1970-01-01"]"#.utf8))
    }

    static let account: Route<AccountEntry> = .get("accounts/1")
    static let adding: Route<AccountEntry> = .post("accounts", body: entry)

    @Test("a client's conventions are used for its responses and its bodies")
    func client() async throws {
        let reporter = CollectingReporter()
        let transport = StubTransport()
        transport.on(.get, "/accounts/1", .json(Self.text.replacing(#""1970-01-01T00:00:00Z""#, with: "0")))
        transport.on(.post, "/accounts", .json(Self.text))
        var client = Client(baseURL: URL("https://example.com"), transport: transport)
        client.conventions = Self.conventions
        client.reporter = reporter
        let read = try await client.fetch(Self.account)
        #expect(read == Self.entry)
        #expect(reporter.issues.map(\.kind) == [.coerced])
        _ = try await client.fetch(Self.adding)
        #expect(transport.requests.last?.body?.data == Data(Self.text.utf8))
    }

    @Test("errors name the JSON's key, and the property where it differs")
    func errors() {
        let raw: Json = ["owner_id": 1, "opened_at": "soon", "visits": [], "lengths": [:]]
        let context = CallContext(conventions: Self.conventions)
        func message(_ raw: Json) -> String {
            do {
                _ = try context.mapping { try [AccountEntry].from(raw: [raw]) }
                return "nothing"
            } catch { return "\(error)" }
        }
        #expect(
            message(raw)
                .hasPrefix("$[0].opened_at: invalid value: expected an RFC 3339 date or a number of seconds since 1970")
        )
        var missing = raw
        missing["owner_id"] = nil
        #expect(message(missing).hasPrefix("$[0].owner_id: missing"))
        #expect(message(missing).contains("(property ownerID)"))
    }

    @Test("a salvaging policy finds the members under their keys")
    func salvaging() throws {
        let raw = try Json(parsing: Self.text.replacing("\"visits\"", with: "\"closed_at\":\"soon\",\"visits\""))
        let context = CallContext(mapping: .salvaging, conventions: Self.conventions)
        #expect(try context.mapping { try AccountEntry.from(raw: raw) } == Self.entry)
    }

    @Test("a custom scalar: range checked both ways, with every coder and by hand")
    func customScalar() throws {
        let text = Data(#"["9223372036854775807",-1]"#.utf8)
        let longs = [Long(value: .max), Long(value: -1)]
        #expect(try JSONDecoder().decode([Long].self, from: text) == longs)
        #expect(try JsonDecoder().decode([Long].self, from: text) == longs)
        #expect(try JSONEncoder().encode(longs) == Data("[9223372036854775807,-1]".utf8))
        #expect(try longs.toRaw() == [9_223_372_036_854_775_807, -1])
        let raw: Json = ["id": "9223372036854775808", "ids": 7]
        #expect(
            failure { try raw.decode("id") as Long }.hasPrefix("$.id: invalid value: expected Int64 or Int64 in quotes")
        )
        #expect(try raw.decode("ids", as: OneOrMany<Long>.format) == [Long(value: 7)])
    }
}
