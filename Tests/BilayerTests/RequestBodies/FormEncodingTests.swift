import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct Search: Codable, RawMappable, Sendable {
    var text = "black tea"
    var tags = ["a,b", "c"]
    var isNew: Bool? = true
    var note: String?
    var price: [String: Int] = ["max": 10]
}

private struct Trip: Encodable, Sendable {
    let startsAt: Date
    let maxPrice: Decimal
}

private struct Rooms: Encodable, Sendable {
    struct Room: Encodable { let beds: Int }
    let rooms: [Room]
}

/// A model whose entry spells the key in another way.
private struct Guest: DTOEncodable, Sendable {
    struct Entry: Codable, RawMappable, Sendable {
        enum CodingKeys: String, CodingKey { case fullName = "full_name" }
        let fullName: String
    }
    let name: String
    func toDTO() throws -> Entry { Entry(fullName: name) }
}

@Suite("Queries and forms of values")
struct FormEncodingTests {
    private let transport = StubTransport(.json("{}"))
    private var client: Client { Client(baseURL: URL("https://example.com/v1?key=k"), transport: transport) }

    private func query(_ items: QueryItems, path: String = "search") async throws -> String? {
        _ = try await client.fetch(Route<Json>.get(path, query: items))
        return transport.requests.last?.url.query(percentEncoded: true)
    }

    @Test(
        "arrays have four spellings",
        arguments: [
            (FormArrays.repeated, "key=k&colour=red&colour=blue"),
            (.brackets, "key=k&colour%5B%5D=red&colour%5B%5D=blue"),
            (.indexed, "key=k&colour%5B0%5D=red&colour%5B1%5D=blue"),
            (.commas, "key=k&colour=red%2Cblue"),
        ]
    )
    func arrays(style: FormArrays, expected: String) async throws {
        let items = QueryItems.encoding(["colour": ["red", "blue"], "none": []], arrays: style)
        #expect(try await query(items) == expected)
    }

    @Test func elementsThatAreObjectsHaveTheirIndex() {
        let rooms = Rooms(rooms: [.init(beds: 2), .init(beds: 1)])
        for style in [FormArrays.repeated, .brackets, .indexed] {
            let items = QueryItems.encoding(rooms, arrays: style).items
            #expect(items.map(\.name) == ["rooms[0][beds]", "rooms[1][beds]"])
            #expect(items.map(\.value) == ["2", "1"])
        }
    }

    @Test func optionalsAreLeftOutAndNestedValuesHaveBrackets() {
        let items = QueryItems.encoding(Search()).items
        #expect(items.map(\.name) == ["text", "tags", "tags", "isNew", "price[max]"])
        #expect(items.map(\.value) == ["black tea", "a,b", "c", "true", "10"])
    }

    @Test func booleansAreWordsOrDigits() {
        let flags = ["isNew": true, "isOld": false]
        let digits = QueryItems.encoding(flags, booleans: .digits, isSorted: true)
        #expect(digits.items.map(\.value) == ["1", "0"])
        #expect(QueryItems.encoding(flags, isSorted: true).items.map(\.value) == ["true", "false"])
    }

    @Test func datesAndKeysFollowTheConventions() {
        var conventions = CodingConventions()
        conventions.keys = .snakeCase
        conventions.scalars.register(Date.self, as: .rfc3339)
        let trip = Trip(startsAt: Date(timeIntervalSince1970: 0), maxPrice: Decimal(string: "9.90") ?? 0)
        let items = QueryItems.encoding(trip, conventions: conventions).items
        #expect(items.map(\.name) == ["starts_at", "max_price"])
        #expect(items.map(\.value) == ["1970-01-01T00:00:00Z", "9.9"])
        conventions.scalars.register(Date.self, as: .unixSeconds)
        #expect(QueryItems.encoding(trip, conventions: conventions).items.first?.value == "0")
    }

    @Test func aModelGoesThroughBothLayers() async throws {
        #expect(QueryItems.encoding(Guest(name: "Ada")).items.map(\.name) == ["full_name"])
        _ = try await client.fetch(Route<Json>.post("guests", body: .form(Guest(name: "Ada"))))
        #expect(transport.requests.last?.body?.data == Data("full_name=Ada".utf8))
    }

    @Test("a query is sorted on request, stable, and behind the route's own")
    func sorted() async throws {
        let items: QueryItems = ["z": 1, "b[]": ["2", "1"], "a": "ä"]
        #expect(try await query(items.sorted(), path: "search?own=1") == "key=k&own=1&a=%C3%A4&b%5B%5D=2&b%5B%5D=1&z=1")
        var both = QueryItems.encoding(["page": 2])
        both.append(contentsOf: ["size": 10])
        #expect(try await query(both, path: "search") == "key=k&page=2&size=10")
    }

    @Test(
        "a value that has no spelling fails at the request, with its path, which shows no key that may be data",
        arguments: [
            (QueryItems.encoding(["a@b.org": ["1,2"]], arrays: .commas), "$.*[0]"),
            (QueryItems.encoding(["a@b.org": [["1"]]], arrays: .commas), "$.*[0]"),
            (QueryItems.encoding(["a@b.org": ["k": ["1,2"]]], arrays: .commas), "$.*.*[0]"),
            (QueryItems.encoding([1, 2]), "$"),
        ]
    )
    func failures(items: QueryItems, path: String) async throws {
        let error = await #expect(throws: CallError.self) { try await client.fetch(Route<Json>.get("x", query: items)) }
        let cause = try #require(error?.underlyingError as? MappingError)
        #expect(cause.path.description == path)
        #expect(error?.description.contains("a@b.org") == false)
        #expect(transport.requests.isEmpty)
    }

    @Test("a form is written as WHATWG URL §5.2 has it")
    func form() async throws {
        let value = ["text": "a b+c%&=~*-._é\n🜁"]
        _ = try await client.fetch(Route<Json>.post("sign-up", body: .form(value)))
        let request = try #require(transport.requests.last)
        #expect(request.body?.data == Data("text=a+b%2Bc%25%26%3D%7E*-._%C3%A9%0A%F0%9F%9C%81".utf8))
        #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func aFormFollowsTheConventionsOfTheCall() async throws {
        var client = client
        client.conventions.keys = .snakeCase
        client.conventions.scalars.register(Date.self, as: .dateOnly)
        let trip = Trip(startsAt: Date(timeIntervalSince1970: 0), maxPrice: 5)
        _ = try await client.fetch(Route<Json>.post("trips", body: .form(trip)))
        #expect(transport.requests.last?.body?.data == Data("starts_at=1970-01-01&max_price=5".utf8))
        var own = CodingConventions()
        own.scalars.register(Date.self, as: .unixSeconds)
        _ = try await client.fetch(Route<Json>.post("trips", body: .form(trip, isSorted: true, conventions: own)))
        #expect(transport.requests.last?.body?.data == Data("maxPrice=5&startsAt=0".utf8))
    }
}
