import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct BadgeEntry: Codable, RawMappable, Sendable {
    let holderName: String?
    let level: Int
}

private struct Badge: DTODecodable, Sendable {
    let holder: String
    static func from(dto: BadgeEntry) throws -> Badge { Badge(holder: try dto.holderName.require("holderName")) }
}

@Suite("An envelope that a node of the client takes off")
struct UnwrappedEnvelopeTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()

    private func client(reporting: Bool) -> Client {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.raw.append { json, _ in json["data"] ?? json }
        if reporting {
            client.conventions.keys = .snakeCase
            client.reporter = collected
        }
        return client
    }

    @Test(
        "errors of both layers have the path in the server's text",
        arguments: [
            (#"{"meta":{"data":1},"data":[{"level":1,"holder_name":"a"},{"holder_name":"b"}]}"#, "$.data[1].level"),
            (#"{"data":[{"level":1}]}"#, "$.data[0].holder_name"), (#"{"data":{}}"#, "$.data"), ("7", "$"),
            (#"[{"level":1}]"#, "$[0].holder_name"),
        ]
    )
    func errors(text: String, path: String) async throws {
        stub.on(.get, "/badges", .json(text))
        let error = await #expect(throws: CallError.self) {
            try await client(reporting: true).fetch(Route<[Badge]>.get("badges"))
        }
        #expect(error?.issues.map(\.path.description) == [path])
        #expect(collected.issues.map(\.path.description) == [path])
    }

    @Test("without a reporter, too")
    func unreported() async throws {
        for (text, path) in [
            (#"{"data":[{"level":1,"holderName":"a"},{}]}"#, "$.data[1].level"),
            (#"{"data":[{"level":1}]}"#, "$.data[0].holderName"),
        ] {
            stub.on(.get, "/badges", .json(text))
            let error = await #expect(throws: CallError.self) {
                try await client(reporting: false).fetch(Route<[Badge]>.get("badges"))
            }
            #expect(error?.issues.map(\.path.description) == [path])
        }
    }

    @Test("a bad element costs only itself, and both layers count as the server does")
    func salvages() async throws {
        stub.on(.get, "/badges", .json(#"{"data":[7,{"level":1,"holder_name":"a"},{"level":1},{"level":"x"}]}"#))
        let badges = try await client(reporting: true).fetch(Route<[Badge]>.get("badges"), mapping: .salvaging)
        #expect(badges.map(\.holder) == ["a"])
        #expect(collected.issues.map(\.path.description) == ["$.data[0]", "$.data[3]", "$.data[2]"])
        #expect(collected.issues.flatMap(\.causes).map(\.path.description).last == "$.data[2].holder_name")
    }

    @Test("a route's path goes on from there")
    func withPath() async throws {
        stub.on(.get, "/badges", .json(#"{"data":{"list":[{"level":1,"holder_name":"a"},{"level":1}]}}"#))
        let error = await #expect(throws: CallError.self) {
            try await client(reporting: true).fetch(Route<[Badge]>.get("badges").at("list"))
        }
        #expect(error?.issues.map(\.path.description) == ["$.data.list[1].holder_name"])
    }

    @Test("a value that the node has made has paths of its own")
    func made() async throws {
        var client = Client(baseURL: URL("https://example.com"), transport: stub)
        client.raw.append { json, _ in [json["data"] ?? .null] }
        stub.on(.get, "/badges", .json(#"{"data":{"holder":"a"}}"#))
        let error = await #expect(throws: CallError.self) {
            try await client.fetch(Route<[Badge]>.get("badges"))
        }
        #expect(error?.issues.map(\.path.description) == ["$[0].level"])
    }
}
