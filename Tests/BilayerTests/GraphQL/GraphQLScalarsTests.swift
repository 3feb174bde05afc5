import Bilayer
import BilayerTesting
import Foundation
import Testing

/// The format of a scalar of a schema is stated once: by a type of its own, or in the conventions of the client.
@Suite("GraphQL: custom scalars")
struct GraphQLScalarsTests {
    /// A 64-bit integer, as a number or as a string.
    private struct Long: CustomScalar, Hashable {
        var value: Int64
        static let format = ValueFormat<Int64>.firstOf(.plain, .quoted).map(Long.init) { $0.value }
    }

    private enum Shop {}

    private struct ScalarsQuery: GraphQLOperation {
        static let document = "query Scalars($after: Long, $day: Date) { item(after: $after, day: $day) { id } }"
        struct Variables: Codable, RawMappable {
            let after: Long
            let day: Date
        }
        struct Data: Decodable, RawDecodable { let item: Item }
        struct Item: Decodable {
            let id: TypedIntIdentifier<Shop>
            var count: Long?
            var day: Date?
            var page: URL?
            var extra: Json?
        }
        var variables = Variables(after: Long(value: .max), day: Date(timeIntervalSince1970: 0))
    }

    private let stub = StubTransport()

    private var client: Client {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.conventions.scalars.register(Date.self, as: .dateOnly)
        return client
    }

    private func item(_ fields: String) async throws -> ScalarsQuery.Item {
        let body = Data(#"{"data":{"item":{"id":7,\#(fields)}}}"#.utf8)
        stub.on(.post, "/graphql", .data(body, contentType: GraphQLText.response))
        return try await client.fetch(Route<ScalarsQuery.Item>.graphQL(ScalarsQuery(), at: \.item))
    }

    @Test(
        "a Long is a number or a string",
        arguments: [
            ("9223372036854775807", Int64.max), (#""9223372036854775807""#, .max),
            ("-9223372036854775808", .min), ("7.0", 7), (#""-7""#, -7),
        ]
    )
    func aLongIsANumberOrAString(text: String, value: Int64) async throws {
        #expect(try await item("\"count\":\(text)").count == Long(value: value))
    }

    @Test(
        "a Long outside of its range is an error with its path",
        arguments: [
            "9223372036854775808", #""9223372036854775808""#, "-9223372036854775809", "1e400", "1.5", #""1.5""#,
            #""""#, #""seven""#, "true", "[]", #""99999999999999999999999999999999999""#,
        ]
    )
    func aLongOutsideOfItsRange(text: String) async throws {
        let error = await #expect(throws: CallError.self) { _ = try await item("\"count\":\(text)") }
        #expect(error?.issues.map(\.path.description) == ["$.data.item.count"])
    }

    @Test func scalarsOfTheClientAreReadAndWritten() async throws {
        let item = try await item(
            #""day":"2026-07-01","page":"https://example.com/7","extra":{"any":[1,null]},"count":null"#
        )
        #expect(item.id == 7)
        #expect(item.day == Date(timeIntervalSince1970: 1_782_864_000))
        #expect(item.page == URL(string: "https://example.com/7"))
        #expect(item.extra == ["any": [1, nil]])
        let body = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(body["variables"] == ["after": Json(Int64.max), "day": "1970-01-01"])
    }
}
