import Bilayer
import BilayerTesting
import Foundation
import Testing

private struct Contest: Sendable, Equatable { var cost: Int }

private struct RestContestEntry: Codable, RawMappable, Sendable { let maxCost: Int? }

private struct GraphContestEntry: Codable, RawMappable, Sendable {
    struct Ticket: Codable, Sendable { let cost: Int? }
    let ticket: Ticket?
}

extension Route where Response == Contest {
    fileprivate static var rest: Route {
        .get("rest", query: [:]) { (entry: RestContestEntry) in
            try Contest(cost: entry.maxCost.require("maxCost"))
        }
    }
    fileprivate static var graph: Route {
        .get("graph") { (entry: GraphContestEntry) in
            let ticket = try entry.ticket.require("ticket")
            return Contest(cost: ticket.cost.default(0, "ticket.cost"))
        }
    }
}

@Suite("Routes that bring their conversion")
struct RouteConversionTests {
    private let stub = StubTransport()
    private let collected = CollectingReporter()
    private var client: Client { .snakeCased(stub, reporter: collected) }

    @Test("one model is made of several entries")
    func severalEntries() async throws {
        stub.on(.get, "/rest", .json(#"{"max_cost":3}"#))
        stub.on(.get, "/graph", .json(#"{"ticket":{"cost":4}}"#))
        #expect(try await client.fetch(.rest) == Contest(cost: 3))
        #expect(try await client.fetch(.graph) == Contest(cost: 4))
    }

    @Test("errors have whole paths and both types, as those of a model")
    func errors() async throws {
        stub.on(.get, "/rest", .json("{}"))
        let error = await #expect(throws: CallError.self) { try await client.fetch(.rest) }
        #expect(error?.stage == .dtoConversion)
        #expect(error?.issues.map(\.path.description) == ["$.max_cost"])
        #expect(error?.issues.first?.owner == "RestContestEntry -> Contest")
    }

    @Test("issues reach the reporter")
    func reports() async throws {
        stub.on(.get, "/graph", .json(#"{"ticket":{}}"#))
        #expect(try await client.fetch(.graph) == Contest(cost: 0))
        #expect(collected.issues.map(\.path.description) == ["$.ticket.cost"])
    }

    @Test("with a body, at a path, with the nodes of the route")
    func converting() async throws {
        stub.on(.post, "/games", .json(#"{"data":{"max_cost":3}}"#), .json(#"{"data":{}}"#))
        let route = Route<RestContestEntry>.post("games", body: RestContestEntry(maxCost: 3)).at("data")
            .converting { try Contest(cost: $0.maxCost.require("maxCost")) }
            .adding(model: AnyNode { contest, _ in Contest(cost: contest.cost + 1) })
        #expect(try await client.fetch(route) == Contest(cost: 4))
        let error = await #expect(throws: CallError.self) { try await client.fetch(route) }
        #expect(error?.issues.map(\.path.description) == ["$.data.max_cost"])
    }

    @Test("any method, and the policy of the call")
    func methods() async throws {
        stub.on(.delete, "/games/7", .json(#"[{"max_cost":1},3,{"max_cost":2}]"#))
        let route = Route<[Int]>
            .method(.delete, "games/{id}", ["id": 7]) { (entries: [RestContestEntry]) in
                entries.compactMap(\.maxCost)
            }
        #expect(try await client.fetch(route, mapping: .salvaging) == [1, 2])
        #expect(collected.issues.map(\.path.description) == ["$[1]"])
    }
}
