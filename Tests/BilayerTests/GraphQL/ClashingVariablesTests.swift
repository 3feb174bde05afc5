import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct ClashingQuery<Variables: RawEncodable & Sendable>: GraphQLOperation where Variables.Raw == Json {
    static var document: String { "query Rooms($roomCount: Int, $room_count: Int) { version }" }
    struct Data: Codable, RawMappable, Sendable { let version: String }
    let variables: Variables
}

struct RoomVariables: Codable, RawMappable, Sendable {
    enum CodingKeys: String, CodingKey {
        case roomCount
        case other = "room_count"
    }
    var roomCount = Field<Int>.absent
    var other = Field<Int>.absent
}

private struct RoomsByHand: RawEncodable, Sendable {
    func toRaw() -> Json { ["roomCount": 1, "room_count": 2] }
}

@Suite("GraphQL: variables whose names clash under the client's naming")
struct ClashingVariablesTests {
    private let stub = StubTransport()
    private let reporter = CollectingReporter()

    private func call<Variables>(_ variables: Variables, _ policy: MappingPolicy = .standard) async throws
    where Variables: RawEncodable & Sendable, Variables.Raw == Json {
        stub.on(.post, "/graphql", .data(Data(#"{"data":{"version":"1"}}"#.utf8), contentType: GraphQLText.response))
        let route = Route<ClashingQuery<Variables>.Data>.graphQL(ClashingQuery(variables: variables))
        _ = try await Client.snakeCased(stub, reporter: reporter).fetch(route, mapping: policy)
    }

    @Test(
        "variables that the naming gives one key are an error that names both, and nothing is sent",
        arguments: [
            RoomVariables(roomCount: .value(1), other: .value(2)), RoomVariables(roomCount: .value(1)),
            RoomVariables(other: .value(2)),
        ]
    )
    func clash(variables: RoomVariables) async throws {
        let error = await #expect(throws: CallError.self) { try await call(variables) }
        let issue = try #require(error?.issues.first)
        #expect(issue.kind == .keyClash && issue.path.description == "$.variables.room_count")
        #expect(issue.message.contains("roomCount") && issue.message.contains("\"room_count\""))
        #expect(reporter.issues.map(\.severity) == [.error])
        #expect(stub.requests.isEmpty)
    }

    @Test("two properties with one key are refused by a strict policy as in each entry")
    func strict() async throws {
        let both = RoomVariables(roomCount: .value(1), other: .value(2))
        let error = await #expect(throws: CallError.self) { try await call(both, .strict) }
        #expect(error?.issues.map(\.kind) == [.keyClash])
        #expect(stub.requests.isEmpty)
    }

    @Test("variables that are written by hand have the names of the document")
    func byHand() async throws {
        try await call(RoomsByHand())
        let body = try Json(parsing: try #require(stub.requests.first?.body?.data))
        #expect(body["variables"] == ["roomCount": 1, "room_count": 2])
        #expect(reporter.issues.isEmpty)
    }
}
