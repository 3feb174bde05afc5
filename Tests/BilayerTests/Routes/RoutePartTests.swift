import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct ParkEntry: Codable, RawMappable, Sendable { let parkName: String? }

private struct Park: DTODecodable, Sendable, Equatable {
    let name: String
    static func from(dto: ParkEntry) throws -> Park { Park(name: try dto.parkName.require("parkName")) }
}

private struct OldParkEntry: Codable, RawMappable, Sendable { let title: String? }

private struct Trail: Sendable, Equatable { let title: String }

private struct ParkInfo: Codable, RawMappable, Sendable, Equatable { let total: Int }

private struct ParkQuery: GraphQLOperation {
    static let document = "{ park { parkName } }"
    struct Data: Codable, RawMappable { let park: ParkEntry? }
}

extension Route where Response == Trail {
    fileprivate static var trail: Route {
        .get("trail") { (entry: OldParkEntry) in Trail(title: try entry.title.require("title")) }
    }
}

extension Route where Response == Park {
    fileprivate static var renamed: Route {
        .get("park") { (entry: OldParkEntry) in Park(name: try entry.title.require("title")) }
    }
}

@Suite("at(_:) changes the place of the entry, and nothing else of the route")
struct RoutePartTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()
    private var client: Client { .snakeCased(stub, reporter: collected) }

    // MARK: The route's own conversion

    @Test("a closure that makes the response stays, before and after the path")
    func closures() async throws {
        stub.on(.get, "/trail", .json(#"{"data":{"trail":{"title":"Ridge"}}}"#))
        stub.on(.get, "/park", .json(#"{"data":{"title":"Teide"}}"#))
        let upper = Route<OldParkEntry>.get("trail").converting { Trail(title: try $0.title.require("title") + "!") }
        #expect(try await client.fetch(Route.trail.at("data.trail")) == Trail(title: "Ridge"))
        #expect(try await client.fetch(Route.trail.at("data").at("trail")) == Trail(title: "Ridge"))
        #expect(try await client.fetch(upper.at("data.trail")) == Trail(title: "Ridge!"))
        #expect(try await client.fetch(Route.renamed.at("data")) == Park(name: "Teide"))
    }

    @Test("errors of both layers of such a route have whole paths")
    func errors() async throws {
        stub.on(.get, "/trail", .json(#"{"data":{"trail":{}}}"#), .json(#"{"data":{"trail":{"title":1}}}"#))
        for (stage, count) in [(CallStage.dtoConversion, 1), (.rawMapping, 2)] {
            let error = await #expect(throws: CallError.self) { try await client.fetch(Route.trail.at("data.trail")) }
            #expect(error?.stage == stage)
            #expect(error?.issues.map(\.path.description) == ["$.data.trail.title"])
            #expect(collected.issues.map(\.path.description).count == count)
        }
    }

    @Test("both conversions of a converted model begin at the path")
    func converted() async throws {
        stub.on(.get, "/park", .json(#"{"data":{}}"#), .json(#"{"data":{"park_name":"Teide"}}"#))
        let route = Route<Park>.get("park").at("data")
            .converting { park -> Trail in throw MappingError(MappingIssue(.invalidValue, path: [.key("name")])) }
        for path in ["$.data.park_name", "$.data.name"] {
            let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
            #expect(error?.issues.map(\.path.description) == [path])
        }
    }

    @Test("an envelope leaves the closure, the nodes and their order")
    func enveloped() async throws {
        stub.on(.get, "/trail", .json(#"{"page":{"total":1,"item":{"title":"Ridge"}}}"#))
        stub.on(.get, "/parks", .json(#"{"total":1,"list":[{"park_name":"Teide"},{}]}"#))
        let trail = try await client.fetch(Route.trail.at("page").at("item", in: ParkInfo.self))
        #expect(trail == Enveloped(Trail(title: "Ridge"), in: ParkInfo(total: 1)))
        let later = try await client.fetch(Route.trail.at("item", in: ParkInfo.self).at("page"))
        #expect(later == trail)
        let parks = Route<[Park]>.get("parks").adding(entry: AnyNode { entries, _ in entries.dropLast() })
        #expect(try await client.fetch(parks.at("list", in: ParkInfo.self)).value == [Park(name: "Teide")])
    }

    @Test("nodes, options and errors of the server stay")
    func settings() async throws {
        let failing = Route<[Park]>.get("parks")
            .adding(entry: AnyNode { entries, _ in entries.reversed() }).with(mappingPolicy: .salvaging)
            .with(headers: ["X-Trip": "7"]).failing(with: OldParkEntry.self).at("list")
        stub.on(
            .get,
            "/parks",
            .json(#"{"list":[{"park_name":"a"},{},{"park_name":"b"}]}"#),
            .json(#"{"title":"full"}"#, status: 503)
        )
        #expect(try await client.fetch(failing).map(\.name) == ["b", "a"])
        #expect(stub.requests.first?.headers["X-Trip"] == "7")
        let error = await #expect(throws: CallError.self) { try await client.fetch(failing) }
        #expect(error?.failure(as: OldParkEntry.self)?.title == "full")
    }

    @Test("a text is a string of the JSON")
    func text() async throws {
        stub.on(.get, "/token", .json(#"{"data":{"token":"abc"}}"#))
        #expect(try await client.fetch(Route<String>.get("token").at("data.token")) == "abc")
        #expect(stub.requests.first?.headers[.accept] == "application/json")
    }

    // MARK: Where elements and pages come from

    @Test("elements of a stream have whole paths")
    func stream() async throws {
        let lines = Data("{\"v\":{\"title\":\"a\"}}\n{\"v\":{}}\n".utf8)
        stub.on(.get, "/trail", .data(lines, contentType: "application/x-ndjson"))
        var titles: [String] = []
        let error = await #expect(throws: CallError.self) {
            for try await trail in client.stream(Route.trail.at("v"), as: .lines) { titles.append(trail.title) }
        }
        #expect(titles == ["a"])
        #expect(error?.issues.map(\.path.description) == ["$[1].v.title"])
    }

    @Test("the elements of a page are counted at the path")
    func pages() async throws {
        stub.on(.get, "/trails?page=1", .json(#"{"list":[{"title":"a"},{}]}"#))
        stub.on(.get, "/trails?page=2", .json(#"{"list":[]}"#))
        let route = Route<[Trail]>
            .get("trails") { (entries: [OldParkEntry]) in entries.compactMap { $0.title.map(Trail.init) } }
        var titles: [String] = []
        for try await trail in client.pages(of: route.at("list"), by: .pageNumber()).elements {
            titles.append(trail.title)
        }
        #expect(titles == ["a"])
        #expect(stub.requests.count == 2)
    }

    // MARK: Routes without a part

    private static let refused: [(@Sendable (Client) async throws -> Void, String)] = [
        (
            { _ = try await $0.fetch(Route<ParkQuery.Data>.graphQL(ParkQuery()).at("data.park")) },
            "found a GraphQL operation, expected JSON for at(_:); name the field in graphQL(_:at:)"
        ),
        (
            { _ = try await $0.fetch(Route<ParkEntry?>.graphQL(ParkQuery(), at: \.park).keepingErrors().at("park")) },
            "found a GraphQL operation, expected JSON for at(_:); name the field in graphQL(_:at:)"
        ),
        (
            { _ = try await $0.fetch(Route<ParkEntry>.get("park").keepingErrors().at("park")) },
            "found keepingErrors() before at(_:), expected it after"
        ),
        (
            { _ = try await $0.fetch(Route<Park>.get("park").replacing(rawMapping: custom).at("data")) },
            "found a custom raw mapping, expected JSON for at(_:); take the part in the raw mapping"
        ),
        (
            { _ = try await $0.fetch(Route<Data>.get("park").at("data", in: ParkInfo.self)) },
            "found a response of Data, expected JSON for at(_:)"
        ),
        (
            { _ = try await $0.fetch(Route<Void>.get("park").at("data")) },
            "found a response of the status only, expected JSON for at(_:)"
        ),
    ]

    private static var custom: AnyNode<HTTPResponse, ParkEntry> { AnyNode { _, _ in ParkEntry(parkName: "x") } }

    @Test("a call is an error before anything is sent", arguments: refused.indices)
    func refuses(position: Int) async throws {
        let (call, reason) = Self.refused[position]
        let error = await #expect(throws: CallError.self) { try await call(client) }
        #expect((error?.underlyingError as? RouteError)?.reason == reason)
        #expect(error?.stage == .requestEncoding)
        #expect(stub.requests.isEmpty)
    }

    // MARK: Replaced raw mappings

    @Test("a closure that converts the DTO stays with another raw mapping")
    func replaced() async throws {
        stub.on(.get, "/park", .json("{}"))
        let route = Route<ParkEntry>.get("park").converting { Park(name: try $0.parkName.require("parkName") + "!") }
        #expect(try await client.fetch(route.replacing(rawMapping: Self.custom)) == Park(name: "x!"))
    }

    @Test("kept errors and a closure after them have paths in data")
    func keptErrors() async throws {
        stub.on(.post, "/graphql", .json(#"{"data":{"park":null}}"#))
        let route = Route<ParkQuery.Data>.graphQL(ParkQuery()).keepingErrors()
            .converting { answer in try answer.value.park.require("park").parkName }
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map(\.path.description) == ["$.data.park"])
    }
}
